#pragma once
// Why a pod waits for a node, in the scheduler's words, and the smallest change that would let it in.

#include <string>
#include <vector>

#include "engines/placement/kube/scheduler.h"

namespace etiage::explain {

/// One reason and the nodes that it speaks for.
struct RefusedNodes {
  std::string plugin, reason;
  std::vector<std::string> nodes;  ///< by name

  bool operator==(const RefusedNodes&) const = default;
};

struct PodPlacementReasons {
  std::string statement;               ///< the message of the FailedScheduling event, or where the pod goes
  std::vector<RefusedNodes> refusals;  ///< that of most nodes first
  /// The node that comes nearest and what it lacks; empty where nothing a node could give would help.
  std::string nearest;
};

/// How much of what the pod asks for the node lacks, at worst: 0 where it lacks nothing, 1 where it has
/// nothing.
double missing_share(const placement::Snapshot& snapshot, placement::PodIndex pod, placement::NodeIndex node);

PodPlacementReasons explain_placement(const placement::Snapshot& snapshot,
                                      const placement::ScheduleResult& result);

}  // namespace etiage::explain
