#pragma once
// One cycle of Volcano: enqueue, allocate and backfill over groups of pods, with what each queue deserves
// (pkg/scheduler/actions, v1.15).

#include <vector>

#include "engines/placement/gang/queued_group.h"
#include "engines/placement/volcano/node_order.h"
#include "engines/placement/volcano/shares.h"

namespace etiage::placement::volcano {

/// Plugins that say which job comes first.
enum class JobOrder { kPriority, kGang, kDominantShare };
/// Plugins that keep a job out of its queue.
enum class Gate { kOvercommit, kQueue };

/// What scheduler a configuration makes; as here: that of Volcano's Helm chart.
struct Rules {
  bool enqueues = true, allocates = true, backfills = true, reclaims = false;
  bool by_capacity = false;  ///< plugin capacity; else proportion, unless `unlimited`
  bool unlimited = false;    ///< neither of the two
  bool gangs = true;
  std::vector<JobOrder> job_order = {JobOrder::kPriority, JobOrder::kGang, JobOrder::kDominantShare};
  /// By tier: where a tier lets a job pass, those after it are not asked.
  std::vector<std::vector<Gate>> gates = {{Gate::kOvercommit, Gate::kQueue}};
  double overcommit = 1.2;  ///< plugin overcommit: its factor
  std::optional<NodeOrder> node_order = NodeOrder{};
  std::optional<BinpackWeights> binpack = BinpackWeights{};

  bool orders_by(JobOrder order) const;
};

struct QueueState {
  Queue queue;                       ///< as the cycle left it
  Resource real_capability, before;  ///< `before`: held when it began
};

struct CycleResult {
  std::vector<QueueState> queues;
  std::vector<GroupOutcome> groups;  ///< with pods that wait, in the order of the input
};

/// Fails where a resource cannot be scored.
Result<CycleResult> run_cycle(NodeBook& nodes, std::vector<Queue> queues,
                              const std::vector<QueuedGroup>& groups, const Rules& rules);

}  // namespace etiage::placement::volcano
