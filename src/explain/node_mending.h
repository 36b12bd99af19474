#pragma once
// One node after the other that refuses a pod: what would have to change until it takes it. Internal to
// pod_changes.

#include <optional>

#include "explain/pod_changes.h"

namespace etiage::explain {

/// What is done about resources that a node lacks.
enum class Shortfall {
  kMoreOnNode,  ///< the node gets so much more free
  kAskForLess,  ///< the pod takes what is free
};

/// Nothing where a refusal cannot be helped. `world` is changed on the way.
std::optional<PlacementChange> mend_node(SchedulingWorld world, placement::PodIndex pod,
                                         placement::NodeIndex node, Shortfall shortfall);

}  // namespace etiage::explain
