#pragma once
// One cycle of Volcano: enqueue and allocate over groups of pods, with what each queue deserves.

#include <vector>

#include "engines/placement/gang/queued_group.h"
#include "engines/placement/volcano/shares.h"

namespace etiage::placement::volcano {

/// What scheduler a configuration makes; as here: that of Volcano's Helm chart.
struct Rules {
  bool enqueues = true, reclaims = false;
  bool by_capacity = false;  ///< plugin capacity; else proportion, unless `unlimited`
  bool unlimited = false;    ///< neither of the two
  bool gangs = true, by_priority = true, by_dominant_share = true;
  std::optional<double> overcommit = 1.2;  ///< plugin overcommit: its factor
  bool orders_nodes = true;                ///< plugin nodeorder
  std::optional<BinpackWeights> binpack = BinpackWeights{};
};

struct QueueState {
  Queue queue;                      ///< as the cycle left it
  Amounts real_capability, before;  ///< `before`: held when it began
};

struct CycleResult {
  std::vector<QueueState> queues;
  std::vector<GroupOutcome> groups;  ///< with pods that wait, in the order of the input
};

CycleResult run_cycle(NodeBook& nodes, std::vector<Queue> queues, const std::vector<QueuedGroup>& groups,
                      const Rules& rules);

}  // namespace etiage::placement::volcano
