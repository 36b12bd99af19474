#include "ledger/ledger.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ledger/booking.h"

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

void add_cell(Ledger& ledger, NodeAccount& account, Cell cell) {
  account.bill += cell.bill;
  for (const Leaf& leaf : cell.leaves) {
    account.buckets[leaf.bucket] += leaf.amount;
    if (leaf.pod.valid()) ledger.pods[leaf.pod.index()].buckets[leaf.bucket] += leaf.amount;
  }
  ledger.cells.push_back(std::move(cell));
}

/// Books one node cell by cell. Of an unpriced node the hours are booked all the same, at no money.
class NodeSettling {
 public:
  NodeSettling(Ledger& ledger, const Evidence& evidence, const PriceBook& book, NodeId id)
      : ledger_(ledger),
        evidence_(evidence),
        book_(book),
        id_(id),
        node_(evidence.nodes[id.index()]),
        account_(ledger.nodes[id.index()]) {}

  void settle(const NodeBook& entries, const std::vector<Instant>& changes,
              const std::vector<std::uint32_t>& rank) {
    account_.time = node_.life.length();
    if (const auto now = price_at(evidence_.window.start); now && node_.life.empty()) note(*now);
    std::optional<NodePrice> price;
    for (Window span : cell_spans(node_.life, changes)) {
      if (span.start == node_.life.start || std::ranges::binary_search(changes, span.start))
        price = price_at(span.start);
      const PriceSplit split =
          price ? split_of(book_, *price, node_.cards, node_.cores, node_.memory) : PriceSplit{};
      const long double second = price ? static_cast<long double>(price->hourly.pico) / 1e6L / 3600 : 0;
      Leaves leaves(rank);
      entries.book(span, split, second, [&](const Entry& e) {
        leaves.add(e.bucket, e.pod, e.amount);
        count_hours(e);
      });
      if (!price) {
        account_.unpriced += span.length();
        continue;
      }
      note(*price);
      const Money bill = cost_of(price->hourly, span.length());
      add_cell(ledger_, account_, {id_, span, bill, leaves.rounded(bill)});
    }
  }

 private:
  std::optional<NodePrice> price_at(Instant t) const { return price_of(book_, priced_node(node_), t); }
  void note(const NodePrice& p) {
    account_.hourly = p.hourly, account_.price_source = p.source, account_.price_grade = p.grade;
  }
  void count_hours(const Entry& e) {
    if (!e.holding.valid() || e.bucket == Bucket::kHeldIdle)
      return;  // its seconds are those of its busy twin
    PodAccount& pod = ledger_.pods[e.pod.index()];
    pod.gpu_hours += e.share * e.seconds / 3600;
    if (e.bucket == Bucket::kBusy) pod.busy_hours += e.share * e.seconds * e.u.value_or(0) / 3600;
  }

  Ledger& ledger_;
  const Evidence& evidence_;
  const PriceBook& book_;
  NodeId id_;
  const NodeLife& node_;
  NodeAccount& account_;
};

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
  const auto tenants = NodeBook::tenants_of(evidence);
  const auto works = NodeBook::work_ranges(evidence);
  const auto resources = resources_by_node(evidence);
  const auto changes = price_changes(book, evidence.window);
  for (std::uint32_t n = 0; n < evidence.nodes.size(); ++n) {
    const NodeBook entries(evidence, NodeId{n}, tenants[n], works, resources[n]);
    NodeSettling(ledger, evidence, book, NodeId{n}).settle(entries, changes, rank);
    ledger.bill += ledger.nodes[n].bill;
    ledger.buckets += ledger.nodes[n].buckets;
  }
  return ledger;
}

}  // namespace etiage::ledger
