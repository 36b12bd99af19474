#pragma once
// How full the GPUs of the nodes are, for the measures of packing (share/measures).

#include <optional>
#include <vector>

#include "engines/placement/kube/scheduler.h"
#include "engines/placement/kube/snapshot.h"
#include "engines/placement/share/cluster.h"

namespace etiage::placement {

struct GpuNodes {
  std::vector<NodeState> nodes;
  std::int32_t left_out = 0;  ///< nodes with more GPUs than a NodeState holds
};

/// Nodes that offer `nvidia.com/gpu` or `amd.com/gpu`, each GPU taken whole; cards of claims do not count.
GpuNodes gpu_nodes(const Snapshot& snapshot);

/// Scheduling occupancy rate (SOR): GPUs allocated of those there are, over the pods tried one after the
/// other. There is no clock, each pod counts alike. `snapshot` is the cluster after the last of them.
std::optional<double> gpu_occupancy(const Snapshot& snapshot, const std::vector<ScheduleResult>& tried);

}  // namespace etiage::placement
