#pragma once
// How Volcano ranks the nodes for a pod: plugins nodeorder and binpack.

#include <vector>

#include "engines/placement/kube/profile.h"
#include "engines/placement/volcano/resource.h"

namespace etiage::placement::volcano {

/// Plugin nodeorder: weights of kube-scheduler's scores, as the plugin names them.
struct NodeOrder {
  std::int32_t least_requested = 1, most_requested = 0, balanced_resource = 1, node_affinity = 2,
               pod_affinity = 2, taint_toleration = 3, image_locality = 1, pod_topology_spread = 2;
};

/// The profiles of kube-scheduler whose scores together are those of the plugin; as of 1.35, of which Volcano
/// 1.15 is built.
Result<std::vector<Profile>> profiles_of(const NodeOrder& order);

/// Plugin binpack, 0 to 100 x its weight: resources that the task asks for and that have a weight.
struct BinpackWeights {
  double weight = 1;
  Amounts resources = {{"cpu", 1}, {"memory", 1}};  ///< stock: GPUs do not count
};
double binpack_score(const Resource& used, const Resource& allocatable, const Resource& task,
                     const BinpackWeights& weights);

}  // namespace etiage::placement::volcano
