#include "ledger/booking.h"

#include <algorithm>

namespace etiage::ledger {
namespace {

// Below this, what is left of a holding after its evidence is the rounding of sums, not time.
constexpr double kNoTime = 1e-6;

double starting_seconds(const PodLife& pod, Window span) {
  double out = 0;
  for (const Window& w : pod.starting) out += overlap(w, span).length().as_seconds();
  return out;
}

}  // namespace

NodeBook::WorkRanges NodeBook::work_ranges(const Evidence& evidence) {
  WorkRanges out(evidence.holdings.size());
  for (std::size_t i = 0; i < evidence.work.size();) {
    std::size_t end = i;
    while (end < evidence.work.size() && evidence.work[end].holding == evidence.work[i].holding) ++end;
    out[evidence.work[i].holding.index()] = {i, end};
    i = end;
  }
  return out;
}

std::vector<Tenants> NodeBook::tenants_of(const Evidence& evidence) {
  std::vector<Tenants> out(evidence.nodes.size());
  for (std::uint32_t i = 0; i < evidence.holdings.size(); ++i)
    out[evidence.holdings[i].node.index()].holdings.push_back({i});
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i)
    if (evidence.pods[i].node.valid()) out[evidence.pods[i].node.index()].pods.push_back({i});
  return out;
}

NodeBook::NodeBook(const Evidence& evidence, NodeId id, const Tenants& tenants, const WorkRanges& work_of,
                   std::span<const ResourceHold> resources)
    : evidence_(evidence),
      node_(evidence.nodes[id.index()]),
      tenants_(tenants),
      work_of_(work_of),
      resources_(resources),
      free_(free_shares(evidence, id, tenants)) {}

void NodeBook::book(Window span, PriceSplit split, long double second, const Take& take) const {
  if (node_.cards > 0) {
    const long double card = split.gpu * second / node_.cards;
    for (HoldingId id : tenants_.holdings)
      if (const Window held = overlap(evidence_.holdings[id.index()].time, span); !held.empty())
        book_holding(id, held, card, take);
    book_free(span, card, take);
  }
  book_resources(span, split, second, take);
}

void NodeBook::book_holding(HoldingId id, Window held, long double card, const Take& take) const {
  const Holding& h = evidence_.holdings[id.index()];
  const long double share = static_cast<long double>(h.share) * card;
  double rest = held.length().as_seconds();
  const double starting = starting_seconds(evidence_.pods[h.pod.index()], held);
  if (starting > 0)
    take({Bucket::kStarting, h.pod, id, h.share, starting, {}, {}, h.grade, starting * share});
  rest -= starting;
  const auto begin = evidence_.work.begin() + static_cast<std::ptrdiff_t>(work_of_[id.index()].first);
  const auto end = evidence_.work.begin() + static_cast<std::ptrdiff_t>(work_of_[id.index()].second);
  for (auto w = std::partition_point(begin, end, [&](const Work& x) { return x.span.end <= held.start; });
       w != end && w->span.start < held.end; ++w) {
    if (w->measured_seconds <= 0) continue;
    const double u = w->busy_seconds / w->measured_seconds, idle = w->measured_seconds - w->busy_seconds;
    take({Bucket::kBusy, h.pod, id, h.share, w->measured_seconds, u, w->signal, w->grade,
          w->busy_seconds * share});
    take({Bucket::kHeldIdle, h.pod, id, h.share, w->measured_seconds, u, w->signal, w->grade, idle * share});
    rest -= w->measured_seconds;
  }
  if (rest > kNoTime) take({Bucket::kUnmeasured, h.pod, id, h.share, rest, {}, {}, h.grade, rest * share});
}

void NodeBook::book_free(Window span, long double card, const Take& take) const {
  auto it = std::ranges::upper_bound(free_, span.start, {}, [](const FreeShare& f) { return f.span.end; });
  for (; it != free_.end() && it->span.start < span.end; ++it) {
    const double seconds = overlap(it->span, span).length().as_seconds();
    take({Bucket::kUnallocated,
          {},
          {},
          it->unallocated,
          seconds,
          {},
          {},
          Grade::kDerived,
          it->unallocated * seconds * card});
    take({Bucket::kStranded,
          {},
          {},
          it->stranded,
          seconds,
          {},
          {},
          Grade::kDerived,
          it->stranded * seconds * card});
  }
}

void NodeBook::book_resources(Window span, PriceSplit split, long double second, const Take& take) const {
  const double length = span.length().as_seconds(), whole = split.cpu + split.memory;
  double cpu = 0, memory = 0;
  auto it = std::ranges::lower_bound(resources_, span.start, {},
                                     [](const ResourceHold& r) { return r.span.start; });
  for (; it != resources_.end() && it->span.start < span.end; ++it) {
    cpu += it->cpu_seconds, memory += it->memory_seconds;
    const double held = split.cpu * it->cpu_seconds + split.memory * it->memory_seconds;
    take({Bucket::kCpuMemory,
          it->pod,
          {},
          whole > 0 ? held / whole / length : 0,
          length,
          {},
          {},
          Grade::kDerived,
          held * second});
  }
  const double idle = split.cpu * std::max(0.0, length - cpu) + split.memory * std::max(0.0, length - memory);
  take({Bucket::kCpuMemoryIdle,
        {},
        {},
        whole > 0 ? idle / whole / length : 0,
        length,
        {},
        {},
        Grade::kDerived,
        idle * second});
}

PricedNode priced_node(const NodeLife& node) {
  return {node.name, node.instance_type, node.card, node.cards, purchase_of(node.labels)};
}

std::vector<Window> cell_spans(Window life, const std::vector<Instant>& changes) {
  if (life.empty()) return {};
  std::vector<Instant> ends{life.start, life.end};
  constexpr std::int64_t hour = Duration::hours(1).ns;
  for (std::int64_t t = (life.start.ns / hour + 1) * hour; t < life.end.ns; t += hour) ends.push_back({t});
  for (Instant t : changes)
    if (life.start < t && t < life.end) ends.push_back(t);
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Window> out;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) out.push_back({ends[i], ends[i + 1]});
  return out;
}

std::vector<std::span<const ResourceHold>> resources_by_node(const Evidence& evidence) {
  std::vector<std::span<const ResourceHold>> out(evidence.nodes.size());
  for (auto it = evidence.resources.begin(); it != evidence.resources.end();) {
    const auto end =
        std::find_if(it, evidence.resources.end(), [&](const ResourceHold& r) { return r.node != it->node; });
    out[it->node.index()] = {it, end};
    it = end;
  }
  return out;
}

}  // namespace etiage::ledger
