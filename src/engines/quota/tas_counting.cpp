// What a topology search looks for, and how much of it fits in each leaf.

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/match.h"
#include "engines/quota/tas_search.h"

namespace etiage::quota {

std::string Exclusions::text() const {
  std::vector<std::string> parts;
  if (node_selector > 0) parts.push_back(fmt::format("nodeSelector: {}", node_selector));
  if (affinity > 0) parts.push_back(fmt::format("affinity: {}", affinity));
  for (const auto& [taint, n] : taints) parts.push_back(fmt::format("taint \"{}\": {}", taint, n));
  for (const auto& [resource, n] : resources)
    parts.push_back(fmt::format("resource \"{}\": {}", resource, n));
  if (parts.empty()) return "";
  std::sort(parts.begin(), parts.end());
  return fmt::format(". Total nodes: {}; excluded: {}", nodes, fmt::join(parts, ", "));
}

std::string TopologySearch::make_plan() {
  static const TopologyRequest kNothing;
  const TopologyRequest& request = workers_.spec->topology ? *workers_.spec->topology : kNothing;
  const auto slices = slices_of(request);
  plan_.count = workers_.count;
  plan_.leaders = leader_ ? 1 : 0;
  if (!slices.empty()) plan_.slice_size = slices[0].size;
  if (plan_.slice_size <= 0) return "slice topology requested, but slice size not provided";
  plan_.required = request.required.has_value();
  plan_.unconstrained = request.unconstrained.value_or(false) || workers_.implied ||
                        (!request.required && !request.preferred && !slices.empty());
  const std::string* level = requested_level(request, topology_);
  if (!level && workers_.implied && !topology_.levels().empty()) level = &topology_.levels().back();
  if (!level) return "topology level not specified";
  const std::string& slice_level = slices.empty() ? topology_.levels().back() : slices[0].topology;
  plan_.level = topology_.level(*level);
  if (plan_.level < 0) return "no requested topology level: " + *level;
  plan_.slice_level = topology_.level(slice_level);
  if (plan_.slice_level < 0) return "no requested topology level for slices: " + slice_level;
  if (plan_.level > plan_.slice_level)
    return fmt::format("podset slice topology {} is above the podset topology {}", slice_level, *level);
  plan_.least_free = plan_.unconstrained && context_.release->gates.tas_profile_mixed;
  plan_.by_affinity = context_.release->gates.tas_respect_preferred_node_affinity;
  plan_.leaders_counted = context_.release->after_017();
  return context_.release->gates.tas_multi_layer_topology ? add_inner_layers(slices) : "";
}

std::string TopologySearch::add_inner_layers(const std::vector<SliceConstraint>& slices) {
  std::int32_t size = plan_.slice_size;
  int above = plan_.slice_level;
  for (std::size_t i = 1; i < slices.size(); ++i) {
    const int level = topology_.level(slices[i].topology);
    if (level < 0) return "no requested topology level for additional slice layer: " + slices[i].topology;
    if (level <= above)
      return fmt::format("additional slice layer topology {} must be at a lower level than {}",
                         slices[i].topology, topology_.levels()[static_cast<std::size_t>(above)]);
    if (slices[i].size <= 0 || size % slices[i].size != 0)
      return fmt::format("additional slice layer size {} must evenly divide parent layer size {}",
                         slices[i].size, size);
    for (int l = above + 1; l <= level; ++l) plan_.inner_slice_sizes[l] = slices[i].size;
    size = slices[i].size;
    above = level;
  }
  if (!plan_.inner_slice_sizes.empty()) plan_.layers = slices;
  return "";
}

std::int32_t TopologySearch::count_in(std::int32_t leaf, std::span<const ResourceAmount> per_pod,
                                      const std::map<ResourceId, Amount>& taken, ResourceId* limiting) const {
  const bool clamp = context_.release->after_017();
  std::int64_t least = kManyPods;
  bool first = true;
  const auto look_at = [&](ResourceId resource, Amount amount) {
    if (amount == 0 && clamp) return;
    const auto used = taken.find(resource);
    const Amount free =
        minus(topology_.free(leaf, resource, context_.empty), used == taken.end() ? 0 : used->second);
    std::int64_t count = amount == 0 ? kManyPods : free / amount;
    count = clamp ? std::clamp<std::int64_t>(count, 0, kManyPods)
                  : static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(count)));
    if (!first && count >= least) return;
    first = false;
    least = count;
    if (limiting) *limiting = resource;
  };
  // In the order of the names, so that the first of equals is named, as in Kueue.
  bool pods_seen = false;
  for (const ResourceAmount& r : per_pod) {
    if (!pods_seen && context_.pods < r.resource) look_at(context_.pods, 1), pods_seen = true;
    if (r.resource == context_.pods) pods_seen = true;
    look_at(r.resource, r.resource == context_.pods ? plus(r.amount, 1) : r.amount);
  }
  if (!pods_seen) look_at(context_.pods, 1);
  return static_cast<std::int32_t>(least);
}

bool TopologySearch::excluded(std::int32_t leaf) {
  const Node* node = topology_.node(leaf);
  if (!node) return false;
  const PodSpec& pod = workers_.spec->spec;
  if (const Taint* taint = untolerated_taint(node->taints, pod.tolerations, topology_.flavor().tolerations)) {
    ++exclusions_.taints[to_string(*taint)];
    return true;
  }
  const auto has = [&](const auto& kv) {
    const auto it = node->meta.labels.find(kv.first);
    return it != node->meta.labels.end() && it->second == kv.second;
  };
  if (!std::all_of(pod.node_selector.begin(), pod.node_selector.end(), has)) {
    ++exclusions_.node_selector;
    return true;
  }
  if (pod.affinity.node_required &&
      !matches(*pod.affinity.node_required, node->meta.labels, node->meta.name)) {
    ++exclusions_.affinity;
    return true;
  }
  return false;
}

void TopologySearch::count_leaves(const AssumedUsage& assumed) {
  exclusions_.nodes = topology_.leaf_count();
  const int last = states_.last_level();
  for (std::int32_t leaf = 0; leaf < static_cast<std::int32_t>(topology_.leaf_count()); ++leaf) {
    if (excluded(leaf)) continue;
    DomainState& s = states_[{last, leaf}];
    std::map<ResourceId, Amount> taken;
    const auto values = topology_.assigned_values(leaf);
    if (const auto it = assumed.find(fmt::format("{}", fmt::join(values, ","))); it != assumed.end())
      for (const ResourceAmount& r : it->second) taken[r.resource] = plus(taken[r.resource], r.amount);
    ResourceId limiting;
    s.pods = count_in(leaf, workers_.per_pod, taken, &limiting);
    if (s.pods == 0 && limiting.valid()) ++exclusions_.resources[(*context_.resources)[limiting]];
    if (leader_ && count_in(leaf, leader_->per_pod, taken, nullptr) > 0) {
      s.leaders = 1;
      for (const ResourceAmount& r : leader_->per_pod) taken[r.resource] = plus(taken[r.resource], r.amount);
      taken[context_.pods] = plus(taken[context_.pods], 1);
    }
    s.pods_with_leader = count_in(leaf, workers_.per_pod, taken, nullptr);
    if (plan_.by_affinity && topology_.node(leaf))
      for (const WeightedNodeTerm& term : workers_.spec->spec.affinity.node_preferred)
        if (matches(NodeSelector{term.term}, topology_.node(leaf)->meta.labels,
                    topology_.node(leaf)->meta.name))
          s.affinity += term.weight;
  }
}

}  // namespace etiage::quota
