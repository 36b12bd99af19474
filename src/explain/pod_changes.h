#pragma once
// The smallest changes after which a pod that waits for a node would get one. Each is tried with the
// scheduler itself, not guessed.

#include <string>
#include <vector>

#include "engines/placement/kube/scheduler.h"

namespace etiage::explain {

/// What decides: the cluster, the scheduler's configuration, release and gates.
struct SchedulingWorld {
  placement::SchedulingInput input;
  SchedulerConfiguration configuration;
  dra::Behaviour devices;
};

/// All steps together let the pod in.
struct PlacementChange {
  std::vector<std::string> steps;
  std::string node;  ///< where it would go then

  bool operator==(const PlacementChange&) const = default;
};

/// Fewest steps first; none where nothing helps that is tried. `tried`: what the scheduler said of the pod.
std::vector<PlacementChange> changes_that_place(const SchedulingWorld& world,
                                                const placement::Snapshot& snapshot,
                                                const placement::ScheduleResult& tried);

}  // namespace etiage::explain
