#include "ledger/ledger.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "ledger/booking.h"

namespace etiage::ledger {
namespace {

/// Exact amounts of a cell before rounding, by bucket and pod; micro-units.
class Leaves {
 public:
  explicit Leaves(const std::vector<std::uint32_t>& rank) : rank_(rank) {}

  void add(Bucket bucket, PodId pod, long double amount) {
    if (amount <= 0) return;
    sums_.push_back({bucket, pod.valid() ? rank_[pod.index()] + 1 : 0, pod, amount});
  }

  /// What was added since the last call, in the order of leaves: nobody first, then by namespace and name.
  std::vector<Leaf> take_rounded(Money bill) {
    std::ranges::stable_sort(sums_, {}, [](const Sum& s) { return std::pair(s.bucket, s.rank); });
    join_equal();
    std::vector<long double> exact;
    exact.reserve(sums_.size());
    for (const Sum& sum : sums_) exact.push_back(sum.amount);
    const auto parts = apportion(bill, exact);
    std::vector<Leaf> out;
    out.reserve(sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i)
      if (parts[i].micro != 0) out.push_back({sums_[i].bucket, sums_[i].pod, parts[i]});
    sums_.clear();
    return out;
  }

 private:
  struct Sum {
    Bucket bucket;
    std::uint32_t rank;
    PodId pod;
    long double amount = 0;
  };

  void join_equal() {
    std::size_t kept = 0;
    for (const Sum& sum : sums_)
      if (kept > 0 && sums_[kept - 1].bucket == sum.bucket && sums_[kept - 1].rank == sum.rank)
        sums_[kept - 1].amount += sum.amount;
      else
        sums_[kept++] = sum;
    sums_.resize(kept);
  }

  const std::vector<std::uint32_t>& rank_;
  std::vector<Sum> sums_;
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

/// Hours of a pod on one node.
struct PodHours {
  PodId pod;
  double held = 0, busy = 0;
};

/// All that is booked of one node; nodes share nothing, so threads may settle them side by side.
struct NodeOutcome {
  NodeAccount account;
  std::vector<Cell> cells;
  std::vector<PodHours> hours;  ///< one entry for each pod
};

/// Books one node cell by cell. Of an unpriced node the hours are booked all the same, at no money.
class NodeSettling {
 public:
  NodeSettling(const Evidence& evidence, const PriceBook& book, NodeId id)
      : evidence_(evidence), book_(book), id_(id), node_(evidence.nodes[id.index()]) {}

  NodeOutcome settle(const NodeBook& entries, const std::vector<Instant>& changes,
                     const std::vector<std::uint32_t>& rank) {
    account_.time = node_.life.length();
    if (const auto now = price_at(evidence_.window.start); now && node_.life.empty()) note(*now);
    std::optional<NodePrice> price;
    Leaves leaves(rank);
    const auto spans = cell_spans(node_.life, changes);
    out_.cells.reserve(spans.size());
    for (Window span : spans) {
      if (span.start == node_.life.start || std::ranges::binary_search(changes, span.start))
        price = price_at(span.start), noted_ = false;
      settle_cell(entries, span, price, leaves);
    }
    return std::move(out_);
  }

 private:
  void settle_cell(const NodeBook& entries, Window span, const std::optional<NodePrice>& price,
                   Leaves& leaves) {
    const PriceSplit split =
        price ? split_of(book_, *price, node_.cards, node_.cores, node_.memory) : PriceSplit{};
    const long double second = price ? static_cast<long double>(price->hourly.pico) / 1e6L / 3600 : 0;
    entries.book(span, split, second, [&](const Entry& e) {
      leaves.add(e.bucket, e.pod, e.amount);
      count_hours(e);
    });
    if (!price) {
      account_.unpriced += span.length();
      return;
    }
    if (!std::exchange(noted_, true)) note(*price);
    const Money bill = cost_of(price->hourly, span.length());
    add_cell({id_, span, bill, leaves.take_rounded(bill)});
  }
  std::optional<NodePrice> price_at(Instant t) const { return price_of(book_, priced_node(node_), t); }
  void note(const NodePrice& p) {
    account_.hourly = p.hourly, account_.price_source = p.source, account_.price_grade = p.grade;
  }
  void add_cell(Cell cell) {
    account_.bill += cell.bill;
    for (const Leaf& leaf : cell.leaves) account_.buckets[leaf.bucket] += leaf.amount;
    out_.cells.push_back(std::move(cell));
  }
  void count_hours(const Entry& e) {
    if (!e.holding.valid() || e.bucket == Bucket::kHeldIdle)
      return;  // its seconds are those of its busy twin
    PodHours& pod = hours_of(e.pod);
    pod.held += e.share * e.seconds / 3600;
    if (e.bucket == Bucket::kBusy) pod.busy += e.share * e.seconds * e.u.value_or(0) / 3600;
  }
  /// Time goes on, so those that hold now came last.
  PodHours& hours_of(PodId pod) {
    const auto it =
        std::find_if(out_.hours.rbegin(), out_.hours.rend(), [&](const PodHours& h) { return h.pod == pod; });
    return it != out_.hours.rend() ? *it : out_.hours.emplace_back(pod);
  }

  const Evidence& evidence_;
  const PriceBook& book_;
  NodeId id_;
  const NodeLife& node_;
  NodeOutcome out_;
  NodeAccount& account_ = out_.account;
  bool noted_ = false;  ///< the price of this moment
};

void add_node(Ledger& ledger, NodeId id, NodeOutcome outcome) {
  for (const PodHours& h : outcome.hours) {
    ledger.pods[h.pod.index()].gpu_hours += h.held;
    ledger.pods[h.pod.index()].busy_hours += h.busy;
  }
  for (const Cell& cell : outcome.cells)
    for (const Leaf& leaf : cell.leaves)
      if (leaf.pod.valid()) ledger.pods[leaf.pod.index()].buckets[leaf.bucket] += leaf.amount;
  std::ranges::move(outcome.cells, std::back_inserter(ledger.cells));
  ledger.bill += outcome.account.bill;
  ledger.buckets += outcome.account.buckets;
  ledger.nodes[id.index()] = std::move(outcome.account);
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

Ledger settle(const Evidence& evidence, const PriceBook& book, unsigned threads) {
  Ledger ledger{.currency = book.currency, .window = evidence.window};
  ledger.nodes.resize(evidence.nodes.size());
  ledger.pods.resize(evidence.pods.size());
  const auto rank = ranks(evidence);
  const auto tenants = NodeBook::tenants_of(evidence);
  const auto works = NodeBook::work_ranges(evidence);
  const auto resources = resources_by_node(evidence);
  const auto changes = price_changes(book, evidence.window);
  std::vector<NodeOutcome> outcomes(evidence.nodes.size());
  for_each_index(outcomes.size(), threads, [&](std::size_t n) {
    const NodeId id{static_cast<std::uint32_t>(n)};
    const NodeBook entries(evidence, id, tenants[n], works, resources[n]);
    outcomes[n] = NodeSettling(evidence, book, id).settle(entries, changes, rank);
  });
  std::size_t cells = 0;
  for (const NodeOutcome& o : outcomes) cells += o.cells.size();
  ledger.cells.reserve(cells);
  for (std::uint32_t n = 0; n < outcomes.size(); ++n) add_node(ledger, NodeId{n}, std::move(outcomes[n]));
  return ledger;
}

}  // namespace etiage::ledger
