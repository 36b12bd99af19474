#pragma once
// Affinity and topology spread of a pod spec, from trees to the model, with the API server's defaults.

#include <vector>

#include "base/tree.h"
#include "model/pod.h"

namespace etiage::formats {

/// `spec.affinity`. The keys of matchLabelKeys and mismatchLabelKeys become requirements of the selector with
/// the values of `labels`, as the API server writes them on creation.
Affinity read_affinity(const Tree& tree, const LabelMap& labels);
/// A list of topologySpreadConstraints.
std::vector<TopologySpreadConstraint> read_topology_spread(const Tree& tree);
/// A list of preferred node terms, each with its weight.
std::vector<WeightedNodeTerm> read_node_preferences(const Tree& tree);

}  // namespace etiage::formats
