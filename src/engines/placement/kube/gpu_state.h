#pragma once
// How full the GPUs of the nodes are, for the measures of packing (share/measures).

#include <vector>

#include "engines/placement/kube/snapshot.h"
#include "engines/placement/share/cluster.h"

namespace etiage::placement {

struct GpuNodes {
  std::vector<NodeState> nodes;
  std::int32_t left_out = 0;  ///< nodes with more GPUs than a NodeState holds
};

/// Nodes that offer `nvidia.com/gpu` or `amd.com/gpu`, each GPU taken whole; cards of claims do not count.
GpuNodes gpu_nodes(const Snapshot& snapshot);

}  // namespace etiage::placement
