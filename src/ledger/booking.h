#pragma once
// What happened on a node in a span of time, as entries: whose share was in which bucket, and why (RULES.md
// 10 to 14).

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ledger/free_shares.h"
#include "ledger/ledger.h"

namespace etiage::ledger {

/// A share of a node's cards, or of its CPU and memory, in one bucket for some seconds.
struct Entry {
  Bucket bucket = Bucket::kBusy;
  PodId pod;          ///< not valid: nobody
  HoldingId holding;  ///< not valid: CPU and memory, or free
  double share = 0;   ///< of a card; of the node's CPU and memory money for these buckets
  double seconds = 0;
  std::optional<double> u;  ///< how busy, of busy and held idle
  std::optional<BusySignal> signal;
  Grade grade = Grade::kMeasured;
  long double amount = 0;  ///< exact micro-units
};

/// One node's evidence, ordered for a walk through time.
class NodeBook {
 public:
  /// The ranges of Evidence::work that belong to each holding.
  using WorkRanges = std::vector<std::pair<std::size_t, std::size_t>>;
  static WorkRanges work_ranges(const Evidence& evidence);
  static std::vector<Tenants> tenants_of(const Evidence& evidence);

  /// The references must outlive the book; `resources` are those of the node, by time.
  NodeBook(const Evidence& evidence, NodeId id, const Tenants& tenants, const WorkRanges& work_of,
           std::span<const ResourceHold> resources);

  /// Calls `take` for every entry of `span`, which crosses no hour and no price change. `second`: micro-units
  /// of the node's price a second.
  void book(Window span, PriceSplit split, long double second,
            const std::function<void(const Entry&)>& take) const;

 private:
  using Take = std::function<void(const Entry&)>;
  void book_holding(HoldingId id, Window held, long double card, const Take& take) const;
  void book_free(Window span, long double card, const Take& take) const;
  void book_resources(Window span, PriceSplit split, long double second, const Take& take) const;

  const Evidence& evidence_;
  const NodeLife& node_;
  const Tenants& tenants_;
  const WorkRanges& work_of_;
  std::span<const ResourceHold> resources_;
  std::vector<FreeShare> free_;
};

/// What the price book is asked about a node; views into it.
PricedNode priced_node(const NodeLife& node);

/// The hours of a node's life, cut at `changes`: its cells.
std::vector<Window> cell_spans(Window life, const std::vector<Instant>& changes);

/// The resources of each node among those of the evidence, which come node by node.
std::vector<std::span<const ResourceHold>> resources_by_node(const Evidence& evidence);

}  // namespace etiage::ledger
