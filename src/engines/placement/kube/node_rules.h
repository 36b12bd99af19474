#pragma once
// What a pod says of a node's own properties: selectors, affinity, taints, cordons, images. None of it
// changes while pods come and go.

#include <vector>

#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

/// nodeSelector and required node affinity.
bool matches_required(const PodSpec& spec, const Node& node);
bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);
/// Every taint that forbids scheduling (NoSchedule, NoExecute) is tolerated.
bool tolerates_scheduling(const PodSpec& spec, const Node& node);
/// Cordoned, and the pod does not tolerate that.
bool is_cordoned_for(const PodSpec& spec, const Node& node);

/// Raw scores: taints of PreferNoSchedule that are not tolerated; weights of matching preferred terms.
std::int64_t untolerated_preferences(const PodSpec& spec, const Node& node);
std::int64_t node_preference(const std::vector<WeightedNodeTerm>& terms, const Node& node);
/// 0..100: how much of the pod's images the node has already, images that are everywhere counting for more.
std::int64_t image_locality(const Snapshot& snapshot, const PodSpec& spec, NodeIndex node);

/// The names that matchFields of every term restrict the pod to; nothing: no restriction.
std::optional<std::vector<std::string>> restricted_to_names(const PodSpec& spec);

}  // namespace etiage::placement
