#pragma once
// The groups of pods that Kubernetes schedules together, from objects.

#include <vector>

#include "app/objects.h"
#include "engines/placement/gang/pod_group.h"

namespace etiage::app {

/// PodGroups of scheduling.k8s.io and, as 1.35 had them, the pod groups of its Workloads. Pods are numbered
/// in the order of the objects.
std::vector<placement::PodGroup> read_pod_groups(const std::vector<LocatedObject>& objects);

}  // namespace etiage::app
