#pragma once
// Finds domains for the pods of a pod set (the algorithm half of Kueue's tas_flavor_snapshot.go):
// count what fits in each leaf, add it up to the roots, choose the level and the domains, hand the pods down
// again.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/quota/gates.h"
#include "engines/quota/tas_topology.h"
#include "model/queue_workload.h"

namespace etiage::quota {

/// One pod set that wants a place.
struct PlacementRequest {
  std::size_t pod_set = 0;  ///< index in the workload
  const PodSet* spec = nullptr;
  std::span<const ResourceAmount> per_pod;  ///< sorted by resource, without the pod's own place
  std::int32_t count = 0;
  bool implied = false;  ///< nothing was asked for, the whole ClusterQueue is topology-aware
};

/// Requests that were given a place earlier in the same search, by the id of the leaf.
using AssumedUsage = std::map<std::string, std::vector<ResourceAmount>, std::less<>>;

struct PlacementResult {
  std::size_t pod_set = 0;
  std::vector<LeafPods> domains;  ///< in the order of the values
  std::string failure;            ///< Kueue's words; empty: placed
};

/// Everything about one search that does not change while it runs.
struct PlacementContext {
  const TasTopology* topology = nullptr;
  const Release* release = nullptr;
  const Names<ResourceId>* resources = nullptr;
  ResourceId pods;
  bool empty = false;  ///< as if no workload were admitted
};

/// Places the pod sets one group (`podSetGroupName`) after the other; stops at the first group that fails.
std::vector<PlacementResult> place(const PlacementContext& context,
                                   std::span<const PlacementRequest> requests, AssumedUsage& assumed);

/// Whether each domain has room for its pods, each looked at alone.
bool fits(const TasTopology& topology, const TopologyUsage& usage, bool after_017);

}  // namespace etiage::quota
