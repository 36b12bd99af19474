#pragma once
// PodTopologySpread: even numbers of like pods over domains
// (pkg/scheduler/framework/plugins/podtopologyspread, 1.37).

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

/// Labels that a pod must have to be counted; nothing: no pod is.
using PodSelector = std::optional<LabelSelector>;

/// A constraint of the pod at hand, with what the nodes look like to it.
struct SpreadConstraint {
  std::int64_t max_skew = 1, min_domains = 1;
  bool hostname = false;
  bool counts_itself = false;  ///< the selector takes the pod too
  const Topology* topology = nullptr;
  std::vector<bool> included;         ///< by node: its policies let it count
  std::vector<std::int8_t> selected;  ///< by shape: the selector takes pods of it
};

/// What the pod carries, or the defaults of its profile where it carries none and something selects it.
/// `hard`: those of DoNotSchedule; else ScheduleAnyway.
std::vector<SpreadConstraint> spread_constraints(Snapshot& snapshot, const Profile& profile, PodIndex pod,
                                                 bool hard);

/// Counts of matching pods per domain, for filtering; kept up to date while victims are tried.
class SpreadFilter {
 public:
  SpreadFilter(Snapshot& snapshot, const Profile& profile, PodIndex pod);

  enum class Verdict { kFits, kMissingLabel, kTooUneven };
  Verdict check(NodeIndex node) const;
  /// A pod comes to (+1) or leaves (-1) a node.
  void update(const Snapshot& snapshot, PodIndex pod, NodeIndex node, int sign);

 private:
  struct Counts {
    std::vector<std::int64_t> of_domain;  ///< -1: no node that counts lies in it
    std::int64_t known = 0;               ///< domains that count
  };
  bool has_all_labels(NodeIndex node) const;

  std::vector<SpreadConstraint> constraints_;
  std::vector<Counts> counts_;
  std::string ns_;
};

/// Raw scores by position in `feasible`, then normalised to 0..100; nothing where the plugin skips the pod.
std::optional<std::vector<std::int64_t>> spread_scores(Snapshot& snapshot, const Profile& profile,
                                                       PodIndex pod, const std::vector<NodeIndex>& feasible);

}  // namespace etiage::placement
