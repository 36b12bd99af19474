#pragma once
// What preemption for a group of pods takes as one: a pod, or all pods of a group whose disruptionMode is all
// (pkg/scheduler/framework/preemption, 1.37).

#include <vector>

#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

struct VictimUnit {
  std::vector<PodIndex> pods;
  std::int32_t priority = 0;  ///< that of the group, where there is one
  bool of_group = false;
  Instant started = Instant::max();  ///< the earliest
};

/// What runs with a lower priority, the most important first; before the others those that take more of a
/// disruption budget than it allows.
std::vector<VictimUnit> victim_units(const Snapshot& snapshot, std::int32_t below);

}  // namespace etiage::placement
