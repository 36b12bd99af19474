#include "engines/quota/tas_topology.h"

#include <algorithm>

#include "engines/quota/resources.h"

namespace etiage::quota {

namespace {

std::string joined(std::span<const std::string> values) {
  std::string out;
  for (const std::string& v : values) out += (&v == values.data() ? "" : ",") + v;
  return out;
}

}  // namespace

TasTopology::TasTopology(const Topology& topology, const ResourceFlavor& flavor,
                         std::span<const Node* const> nodes, const Names<ResourceId>& resources,
                         ResourceId pods)
    : name_(topology.meta.name),
      flavor_(&flavor),
      levels_(topology.levels),
      hosts_are_leaves_(!levels_.empty() && levels_.back() == kHostnameLabel),
      pods_(pods),
      resource_count_(resources.size()),
      domains_(levels_.size()) {
  gather_leaves(nodes);
  build_levels();
  capacity_.resize(leaves_.size() * resource_count_, 0);
  usage_.resize(capacity_.size(), 0);
  provided_.resize(capacity_.size(), false);
  for (const Node* node : nodes) {
    const std::int32_t leaf = leaf_by_node_.find(node->meta.name)->second;
    for (const auto& [resource, quantity] : node->allocatable) {
      const ResourceId r = resources.find(resource);
      if (!r.valid()) continue;
      Amount& capacity = capacity_[cell(leaf, r)];
      capacity = plus(capacity, amount_of(resource, quantity));
      provided_[cell(leaf, r)] = true;
    }
  }
}

void TasTopology::gather_leaves(std::span<const Node* const> nodes) {
  std::map<std::vector<std::string>, const Node*> by_values;
  std::map<std::string, std::vector<std::string>> values_of_host;
  std::map<std::string, std::vector<std::string>> values_of_node;
  for (const Node* node : nodes) {
    std::vector<std::string> values;
    for (const std::string& level : levels_) values.push_back(node->meta.labels.find(level)->second);
    if (hosts_are_leaves_) values = values_of_host.try_emplace(values.back(), values).first->second;
    by_values.try_emplace(values, node);
    values_of_node.emplace(node->meta.name, values);
  }
  for (const auto& [values, node] : by_values) {
    const auto leaf = static_cast<std::int32_t>(leaves_.size());
    leaves_.push_back(hosts_are_leaves_ ? node : nullptr);
    domains_.back().push_back({values});
    leaf_by_id_.emplace(hosts_are_leaves_ ? values.back() : joined(values), leaf);
  }
  for (const auto& [name, values] : values_of_node)
    leaf_by_node_.emplace(name, leaf_by_id_.find(hosts_are_leaves_ ? values.back() : joined(values))->second);
}

void TasTopology::build_levels() {
  for (std::size_t l = levels_.size(); l-- > 1;) {
    auto& parents = domains_[l - 1];
    for (std::size_t i = 0; i < domains_[l].size(); ++i) {
      std::vector<std::string> prefix(domains_[l][i].values.begin(), domains_[l][i].values.end() - 1);
      if (parents.empty() || parents.back().values != prefix)
        parents.push_back({std::move(prefix), static_cast<std::int32_t>(i), 0});
      ++parents.back().child_count;
    }
  }
}

int TasTopology::level(std::string_view key) const {
  const auto it = std::find(levels_.begin(), levels_.end(), key);
  return it == levels_.end() ? -1 : static_cast<int>(it - levels_.begin());
}

std::span<const std::string> TasTopology::assigned_values(std::int32_t leaf) const {
  const auto& values = domains_.back()[static_cast<std::size_t>(leaf)].values;
  return hosts_are_leaves_ ? std::span(values).last(1) : std::span(values);
}

std::span<const std::string> TasTopology::assigned_levels() const {
  return hosts_are_leaves_ ? std::span(levels_).last(1) : std::span(levels_);
}

std::int32_t TasTopology::find_leaf(std::span<const std::string> values) const {
  const auto it = leaf_by_id_.find(joined(values));
  return it == leaf_by_id_.end() ? -1 : it->second;
}

void TasTopology::take(std::string_view node_name, std::span<const ResourceAmount> requests) {
  const auto it = leaf_by_node_.find(node_name);
  if (it == leaf_by_node_.end()) return;
  const auto less = [&](ResourceId resource, Amount amount) {
    Amount& capacity = capacity_[cell(it->second, resource)];
    capacity = minus(capacity, amount);
  };
  for (const ResourceAmount& r : requests) less(r.resource, r.amount);
  less(pods_, 1);
}

void TasTopology::add_usage(const TopologyUsage& usage, int sign, UndoLog& log) {
  for (const LeafPods& d : usage.domains) {
    if (d.leaf < 0) continue;
    const std::int64_t pods = sign * usage.times * d.pods;
    for (const ResourceAmount& r : usage.per_pod) {
      Amount& used = usage_[cell(d.leaf, r.resource)];
      log.set(used, plus(used, times(r.amount, pods)));
    }
    Amount& used_pods = usage_[cell(d.leaf, pods_)];
    log.set(used_pods, plus(used_pods, pods));
  }
}

std::vector<SliceConstraint> slices_of(const TopologyRequest& request) {
  if (!request.slice_constraints.empty()) return request.slice_constraints;
  if (!request.slice_topology) return {};
  return {{*request.slice_topology, request.slice_size.value_or(0)}};
}

bool requests_topology(const std::optional<TopologyRequest>& r) {
  return r && (r->unconstrained || r->required || r->preferred || r->slice_topology || r->slice_size ||
               !r->slice_constraints.empty());
}

const std::string* requested_level(const TopologyRequest& request, const TasTopology& topology) {
  if (request.required) return &*request.required;
  if (request.preferred) return &*request.preferred;
  if (topology.levels().empty()) return nullptr;
  if (!slices_of(request).empty()) return &topology.levels().front();
  return request.unconstrained.value_or(false) ? &topology.levels().back() : nullptr;
}

bool has_levels(const TopologyRequest& request, const TasTopology& topology, bool multi_layer) {
  const std::string* main = requested_level(request, topology);
  if (!main || topology.level(*main) < 0) return false;
  const auto slices = slices_of(request);
  const std::size_t checked = multi_layer ? slices.size() : std::min<std::size_t>(slices.size(), 1);
  return std::all_of(slices.begin(), slices.begin() + static_cast<std::ptrdiff_t>(checked),
                     [&](const SliceConstraint& s) { return topology.level(s.topology) >= 0; });
}

}  // namespace etiage::quota
