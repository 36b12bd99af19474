#include "ledger/ledger.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ledger/free_shares.h"

namespace etiage::ledger {
namespace {

/// Exact amounts of a cell before rounding, by bucket and pod; micro-units.
class Leaves {
 public:
  explicit Leaves(const std::vector<std::uint32_t>& rank) : rank_(rank) {}

  void add(Bucket bucket, PodId pod, long double amount) {
    if (amount <= 0) return;
    const std::uint32_t rank = pod.valid() ? rank_[pod.index()] + 1 : 0;
    Sum& sum = sums_[{bucket, rank}];
    sum.pod = pod;
    sum.amount += amount;
  }

  std::vector<Leaf> rounded(Money bill) const {
    std::vector<long double> exact;
    for (const auto& [key, sum] : sums_) exact.push_back(sum.amount);
    const auto parts = apportion(bill, exact);
    std::vector<Leaf> out;
    std::size_t i = 0;
    for (const auto& [key, sum] : sums_)
      if (const Money part = parts[i++]; part.micro != 0) out.push_back({key.first, sum.pod, part});
    return out;
  }

 private:
  struct Sum {
    PodId pod;
    long double amount = 0;
  };
  const std::vector<std::uint32_t>& rank_;
  std::map<std::pair<Bucket, std::uint32_t>, Sum> sums_;  // nobody first, then by namespace and name
};

/// Pods by namespace, name and uid: the order in which ties are broken.
std::vector<std::uint32_t> ranks(const Evidence& evidence) {
  std::vector<std::uint32_t> order(evidence.pods.size()), rank(evidence.pods.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) {
    const PodLife& p = evidence.pods[i];
    return std::tie(p.ns, p.name, p.uid, p.life.start);
  });
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

std::vector<Tenants> tenants_of(const Evidence& evidence) {
  std::vector<Tenants> out(evidence.nodes.size());
  for (std::uint32_t i = 0; i < evidence.holdings.size(); ++i)
    out[evidence.holdings[i].node.index()].holdings.push_back({i});
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i)
    if (evidence.pods[i].node.valid()) out[evidence.pods[i].node.index()].pods.push_back({i});
  return out;
}

double starting_seconds(const PodLife& pod, Window span) {
  double out = 0;
  for (const Window& w : pod.starting) out += overlap(w, span).length().as_seconds();
  return out;
}

/// The evidence of one node, and where in it the walk through time stands.
class NodeWalk {
 public:
  NodeWalk(const Evidence& evidence, NodeId id, const Tenants& tenants,
           const std::vector<std::pair<std::size_t, std::size_t>>& work_of,
           std::span<const ResourceHold> resources)
      : evidence_(evidence),
        node_(evidence.nodes[id.index()]),
        tenants_(tenants),
        work_of_(work_of),
        resources_(resources),
        free_(free_shares(evidence, id, tenants)) {}

  /// Adds what happened in `span` to `leaves`; `second`: micro-units of the node's price a second.
  void book(Window span, PriceSplit split, long double second, Leaves& leaves,
            std::vector<PodAccount>& pods) const {
    if (node_.cards > 0) book_cards(span, split.gpu * second / node_.cards, leaves, pods);
    book_resources(span, split, second, leaves);
  }

 private:
  void book_cards(Window span, long double card, Leaves& leaves, std::vector<PodAccount>& pods) const {
    for (HoldingId id : tenants_.holdings) {
      const Holding& h = evidence_.holdings[id.index()];
      const Window held = overlap(h.time, span);
      if (!held.empty()) book_holding(id, h, held, card, leaves, pods[h.pod.index()]);
    }
    auto it = std::ranges::upper_bound(free_, span.start, {}, [](const FreeShare& f) { return f.span.end; });
    for (; it != free_.end() && it->span.start < span.end; ++it) {
      const double seconds = overlap(it->span, span).length().as_seconds();
      leaves.add(Bucket::kUnallocated, {}, it->unallocated * seconds * card);
      leaves.add(Bucket::kStranded, {}, it->stranded * seconds * card);
    }
  }

  void book_holding(HoldingId id, const Holding& h, Window held, long double card, Leaves& leaves,
                    PodAccount& account) const {
    const double length = held.length().as_seconds();
    const double starting = starting_seconds(evidence_.pods[h.pod.index()], held);
    double measured = 0, busy = 0;
    const auto [from, to] = work_of_[id.index()];
    auto it = std::partition_point(evidence_.work.begin() + static_cast<std::ptrdiff_t>(from),
                                   evidence_.work.begin() + static_cast<std::ptrdiff_t>(to),
                                   [&](const Work& w) { return w.span.end <= held.start; });
    for (; it != evidence_.work.begin() + static_cast<std::ptrdiff_t>(to) && it->span.start < held.end; ++it)
      measured += it->measured_seconds, busy += it->busy_seconds;
    const long double share = static_cast<long double>(h.share) * card;
    leaves.add(Bucket::kBusy, h.pod, busy * share);
    leaves.add(Bucket::kHeldIdle, h.pod, (measured - busy) * share);
    leaves.add(Bucket::kStarting, h.pod, starting * share);
    const double rest = length - starting - measured;
    if (rest > 1e-6) leaves.add(Bucket::kUnmeasured, h.pod, rest * share);
    account.gpu_hours += h.share * length / 3600;
    account.busy_hours += h.share * busy / 3600;
  }

  void book_resources(Window span, PriceSplit split, long double second, Leaves& leaves) const {
    double cpu = 0, memory = 0;
    auto it = std::ranges::lower_bound(resources_, span.start, {},
                                       [](const ResourceHold& r) { return r.span.start; });
    for (; it != resources_.end() && it->span.start < span.end; ++it) {
      cpu += it->cpu_seconds, memory += it->memory_seconds;
      leaves.add(Bucket::kCpuMemory, it->pod,
                 (split.cpu * it->cpu_seconds + split.memory * it->memory_seconds) * second);
    }
    const double length = span.length().as_seconds();
    leaves.add(
        Bucket::kCpuMemoryIdle, {},
        (split.cpu * std::max(0.0, length - cpu) + split.memory * std::max(0.0, length - memory)) * second);
  }

  const Evidence& evidence_;
  const NodeLife& node_;
  const Tenants& tenants_;
  const std::vector<std::pair<std::size_t, std::size_t>>& work_of_;
  std::span<const ResourceHold> resources_;  // of this node, by time
  std::vector<FreeShare> free_;
};

/// The hours of a node's life, cut where the price changes.
std::vector<Window> intervals(Window life, const std::vector<Instant>& changes) {
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

/// Where the works of each holding lie in the evidence.
std::vector<std::pair<std::size_t, std::size_t>> work_ranges(const Evidence& evidence) {
  std::vector<std::pair<std::size_t, std::size_t>> out(evidence.holdings.size());
  for (std::size_t i = 0; i < evidence.work.size();) {
    std::size_t end = i;
    while (end < evidence.work.size() && evidence.work[end].holding == evidence.work[i].holding) ++end;
    out[evidence.work[i].holding.index()] = {i, end};
    i = end;
  }
  return out;
}

void add_cell(Ledger& ledger, NodeAccount& account, Cell cell) {
  account.bill += cell.bill;
  for (const Leaf& leaf : cell.leaves) {
    account.buckets[leaf.bucket] += leaf.amount;
    if (leaf.pod.valid()) ledger.pods[leaf.pod.index()].buckets[leaf.bucket] += leaf.amount;
  }
  ledger.cells.push_back(std::move(cell));
}

void settle_node(Ledger& ledger, const Evidence& evidence, const PriceBook& book, NodeId id,
                 const NodeWalk& walk, const std::vector<Instant>& changes,
                 const std::vector<std::uint32_t>& rank) {
  const NodeLife& node = evidence.nodes[id.index()];
  NodeAccount& account = ledger.nodes[id.index()];
  account.time = node.life.length();
  const PricedNode asked{node.name, node.instance_type, node.card, node.cards, purchase_of(node.labels)};
  const auto note = [&](const NodePrice& p) {
    account.hourly = p.hourly, account.price_source = p.source, account.price_grade = p.grade;
  };
  if (const auto now = price_of(book, asked, evidence.window.start); now && node.life.empty()) note(*now);
  for (Window span : intervals(node.life, changes)) {
    const auto price = price_of(book, asked, span.start);
    Leaves leaves(rank);
    // Of an unpriced node the hours are booked all the same, at no money.
    const PriceSplit split =
        price ? split_of(book, *price, node.cards, node.cores, node.memory) : PriceSplit{};
    const long double second = price ? static_cast<long double>(price->hourly.pico) / 1e6L / 3600 : 0;
    walk.book(span, split, second, leaves, ledger.pods);
    if (!price) {
      account.unpriced += span.length();
      continue;
    }
    note(*price);
    const Money bill = cost_of(price->hourly, span.length());
    add_cell(ledger, account, {id, span, bill, leaves.rounded(bill)});
  }
}

}  // namespace

std::string_view to_string(Bucket bucket) {
  constexpr std::array<std::string_view, kBucketCount> names{
      "busy", "heldIdle", "unmeasured", "starting", "unallocated", "stranded", "cpuMemory", "cpuMemoryIdle"};
  return names[static_cast<std::size_t>(bucket)];
}

Money Buckets::total() const {
  return std::accumulate(of.begin(), of.end(), Money{});
}

Buckets& Buckets::operator+=(const Buckets& o) {
  for (std::size_t i = 0; i < kBucketCount; ++i) of[i] += o.of[i];
  return *this;
}

Ledger settle(const Evidence& evidence, const PriceBook& book) {
  Ledger ledger{.currency = book.currency, .window = evidence.window};
  ledger.nodes.resize(evidence.nodes.size());
  ledger.pods.resize(evidence.pods.size());
  const auto rank = ranks(evidence);
  const auto tenants = tenants_of(evidence);
  const auto works = work_ranges(evidence);
  const auto changes = price_changes(book, evidence.window);
  auto next = evidence.resources.begin();  // they come node by node
  for (std::uint32_t n = 0; n < evidence.nodes.size(); ++n) {
    auto end = next;
    while (end != evidence.resources.end() && end->node == NodeId{n}) ++end;
    settle_node(ledger, evidence, book, NodeId{n},
                NodeWalk(evidence, NodeId{n}, tenants[n], works, {next, end}), changes, rank);
    next = end;
    ledger.bill += ledger.nodes[n].bill;
    ledger.buckets += ledger.nodes[n].buckets;
  }
  return ledger;
}

}  // namespace etiage::ledger
