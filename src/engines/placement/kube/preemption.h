#pragma once
// DefaultPreemption: which pods of lower priority would have to go, and from which node.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engines/placement/kube/attempt.h"

namespace etiage::placement {

/// A node with the pods that would have to go, the most important first.
struct PreemptionCandidate {
  NodeIndex node = kNoNode;
  std::vector<PodIndex> victims;
  std::int64_t budget_violations = 0;
};

struct PreemptionSearch {
  std::vector<PreemptionCandidate> candidates;
  std::map<NodeIndex, Refusal> refused;  ///< looked at, and no help
};

/// Tries each of the nodes: all pods of lower priority leave in thought, then as many as possible are let
/// back in, those whose disruption budget is used up first, then the more important before the others.
PreemptionSearch search_preemption(const Snapshot& snapshot, const FilterState& filters, PodIndex pod,
                                   const std::vector<NodeIndex>& nodes);

/// The candidates that kube-scheduler finds equally good; it takes any of them.
std::vector<std::size_t> best_candidates(const Snapshot& snapshot,
                                         const std::vector<PreemptionCandidate>& candidates);

/// Disruption budgets as one victim after the other is taken from them.
class Budgets {
 public:
  explicit Budgets(const std::vector<PodDisruptionBudget>& budgets);
  /// Takes the pod; true: more than the budget allows.
  bool would_violate(const Pod& pod);

 private:
  const std::vector<PodDisruptionBudget>* budgets_;
  std::vector<std::int64_t> left_;
};

}  // namespace etiage::placement
