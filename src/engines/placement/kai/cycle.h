#pragma once
// One cycle of KAI's action allocate: queues in the order of their shares, groups as a whole, with what is a
// fair share of each queue.

#include <array>
#include <vector>

#include "engines/placement/gang/queued_group.h"
#include "engines/placement/kai/shares.h"

namespace etiage::placement::kai {

/// GPUs, CPU in thousandths of a core, memory in bytes: the units in which KAI shares out.
inline constexpr std::size_t kResources = 3;
inline constexpr std::array<const char*, kResources> kResourceNames = {"gpu", "cpu", "memory"};
using Shares = std::array<double, kResources>;

struct QueueNode {
  std::string name, parent;  ///< parent empty: at the top
  std::int32_t priority = 100;
  std::optional<Instant> created;
  Shares quota{}, limit{}, over_quota_weight = {1, 1, 1};  ///< as Queue has them, by resource
};

struct QueueState {
  QueueNode queue;
  Shares fair_share{}, requested{}, before{}, allocated{};  ///< `before`: held when the cycle began
};

struct CycleResult {
  std::vector<QueueState> queues;
  std::vector<GroupOutcome> groups;  ///< with pods that wait, in the order of the input
};

/// Fails where a queue's parent does not exist, or queues are each other's parents.
Result<CycleResult> run_cycle(NodeBook& nodes, const std::vector<QueueNode>& queues,
                              const std::vector<QueuedGroup>& groups);

}  // namespace etiage::placement::kai
