#pragma once
// InterPodAffinity: pods that want others near or far
// (pkg/scheduler/framework/plugins/interpodaffinity, 1.37).

#include <map>
#include <optional>
#include <vector>

#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

/// Counts by (topology key, domain); a count of zero is no entry.
class DomainCounts {
 public:
  void add(const Topology& topology, NodeIndex node, std::int64_t amount);
  std::int64_t at(const Topology& topology, NodeIndex node) const;
  bool empty() const { return counts_.empty(); }
  /// Any positive count in a domain of the node.
  bool any_positive(NodeIndex node) const;

 private:
  std::map<std::pair<const Topology*, std::int32_t>, std::int64_t> counts_;
};

/// One term and the shapes of pods that it takes.
struct CompiledTerm {
  const Topology* topology = nullptr;
  std::int32_t weight = 0;
  std::vector<std::int8_t> takes;  ///< by shape
};

/// The required terms, for filtering; kept up to date while victims are tried.
class PodAffinityFilter {
 public:
  PodAffinityFilter(Snapshot& snapshot, PodIndex pod);

  enum class Verdict { kFits, kNoAffinity, kAntiAffinity, kExistingAntiAffinity };
  Verdict check(NodeIndex node) const;
  void update(const Snapshot& snapshot, PodIndex pod, NodeIndex node, int sign);

 private:
  void count(const Snapshot& snapshot, PodIndex pod, NodeIndex node, int sign);
  bool takes_all(ShapeIndex shape) const;
  bool affinity_holds(NodeIndex node) const;

  ShapeIndex own_shape_;
  bool skipped_ = true;  ///< PreFilter found nothing to ask: pods that come later in thought do not matter
  std::vector<CompiledTerm> affinity_, anti_;
  /// By shape: the topologies of its required anti-affinity terms that take the pod at hand.
  std::map<ShapeIndex, std::vector<const Topology*>> against_us_;
  DomainCounts affinity_counts_, anti_counts_, existing_counts_;
};

/// Normalised scores by position in `feasible`; nothing where the plugin skips the pod.
std::optional<std::vector<std::int64_t>> pod_affinity_scores(Snapshot& snapshot, const Profile& profile,
                                                             PodIndex pod,
                                                             const std::vector<NodeIndex>& feasible);

}  // namespace etiage::placement
