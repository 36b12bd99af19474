#include "engines/placement/kube/snapshot.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace etiage::placement {
namespace {

const LabelMap kNoLabels;
constexpr std::int32_t kSystemClusterCritical = 2'000'000'000, kSystemNodeCritical = 2'000'001'000;

struct Standing {
  std::int32_t priority = 0;
  std::string policy;
};

/// What admission writes into a pod: the value and the policy of its class, of the global default, or
/// nothing.
Result<Standing> standing_of(const Pod& pod, const std::vector<PriorityClass>& classes) {
  const std::string& name = pod.spec.priority_class;
  const auto found = std::ranges::find_if(classes, [&](const PriorityClass& c) {
    return name.empty() ? c.global_default && !pod.spec.priority : c.meta.name == name;
  });
  Standing out{pod.spec.priority.value_or(0), pod.spec.preemption_policy};
  if (found != classes.end())
    return Standing{found->value, found->preemption_policy.empty() ? out.policy : found->preemption_policy};
  if (name == "system-node-critical") return Standing{kSystemNodeCritical, out.policy};
  if (name == "system-cluster-critical") return Standing{kSystemClusterCritical, out.policy};
  if (!name.empty() && !pod.spec.priority)
    return failure(
        "pod " + pod.meta.ns + "/" + pod.meta.name + ": no PriorityClass with name " + name + " was found",
        pod.meta.place, "add the PriorityClass to the input");
  return out;
}

std::vector<std::int64_t> amounts(const ResourceList& list, ResourceNames& names) {
  std::vector<std::int64_t> out;
  for (const auto& [name, quantity] : list) {
    if (name == "pods") continue;
    const ResourceIndex r = names.number(name);
    if (out.size() <= r) out.resize(r + 1);
    out[r] = whole_amount(r, quantity);
  }
  return out;
}

}  // namespace

Result<Snapshot> Snapshot::make(SchedulingInput input) {
  Snapshot out;
  out.input_ = std::move(input);
  out.load_nodes();
  if (auto done = out.shape_pods(); !done) return std::unexpected(done.error());
  return out;
}

void Snapshot::load_nodes() {
  for (const Node& node : input_.nodes) {
    NodeInfo info{.index = static_cast<NodeIndex>(nodes_.size())};
    const ResourceList& list = node.allocatable.empty() ? node.capacity : node.allocatable;
    info.allocatable = amounts(list, resources_);
    if (const auto it = list.find("pods"); it != list.end()) info.pod_limit = it->second.value();
    nodes_.push_back(std::move(info));
    std::set<std::string_view> seen;
    for (const NodeImage& image : node.images)
      for (const std::string& name : image.names)
        if (seen.insert(name).second) ++images_.try_emplace(name, 0, image.bytes).first->second.first;
  }
  by_name_.resize(nodes_.size());
  std::iota(by_name_.begin(), by_name_.end(), NodeIndex{0});
  std::ranges::sort(by_name_, {}, [this](NodeIndex n) -> const std::string& { return node_name(n); });
  for (const ObjectMeta& ns : input_.namespaces) namespaces_[ns.name] = &ns.labels;
}

Result<void> Snapshot::shape_pods() {
  std::unordered_multimap<std::size_t, ShapeIndex> known;
  pods_.resize(input_.pods.size());
  for (PodIndex p = 0; p < pods_.size(); ++p) {
    const Pod& pod = input_.pods[p];
    const std::size_t hash = shape_hash(pod);
    const auto [first, last] = known.equal_range(hash);
    const auto same =
        std::find_if(first, last, [&](const auto& k) { return same_shape(shapes_[k.second].example, pod); });
    if (same != last) {
      pods_[p].shape = same->second;
    } else {
      const auto standing = standing_of(pod, input_.priority_classes);
      if (!standing) return std::unexpected(standing.error());
      pods_[p].shape = static_cast<ShapeIndex>(shapes_.size());
      known.emplace(hash, pods_[p].shape);
      shapes_.push_back(make_shape(pod, resources_));
      shapes_.back().priority = standing->priority;
      shapes_.back().may_preempt = standing->policy != "Never";
    }
    pods_[p].started = pod.status.start_time;
    if (pods_[p].started && (!last_start_ || *last_start_ < *pods_[p].started))
      last_start_ = pods_[p].started;
  }
  for (PodIndex p = 0; p < pods_.size(); ++p) {
    const auto node = node_named(input_.pods[p].spec.node_name);
    const std::string& phase = input_.pods[p].status.phase;
    if (!node || phase == "Succeeded" || phase == "Failed") continue;
    pods_[p].node = *node;
    add_to(nodes_[*node], p);
  }
  return {};
}

std::optional<NodeIndex> Snapshot::node_named(std::string_view name) const {
  const auto it = std::ranges::lower_bound(by_name_, name, {},
                                           [this](NodeIndex n) -> std::string_view { return node_name(n); });
  if (it == by_name_.end() || node_name(*it) != name) return {};
  return *it;
}

const Topology& Snapshot::topology(const std::string& key) {
  const auto [it, fresh] = topologies_.try_emplace(key);
  if (!fresh) return it->second;
  std::map<std::string_view, std::int32_t> numbers;
  for (const Node& node : input_.nodes) {
    const auto label = node.meta.labels.find(key);
    if (label == node.meta.labels.end()) {
      it->second.domain_of.push_back(-1);
    } else {
      it->second.domain_of.push_back(
          numbers.try_emplace(label->second, static_cast<std::int32_t>(numbers.size())).first->second);
    }
  }
  it->second.domains = static_cast<std::int32_t>(numbers.size());
  return it->second;
}

const LabelMap& Snapshot::namespace_labels(const std::string& ns) const {
  const auto it = namespaces_.find(ns);
  return it == namespaces_.end() ? kNoLabels : *it->second;
}

std::pair<std::int64_t, std::int64_t> Snapshot::image_spread_and_size(const std::string& image) const {
  const auto it = images_.find(image);
  return it == images_.end() ? std::pair<std::int64_t, std::int64_t>{} : it->second;
}

void Snapshot::add_to(NodeInfo& node, PodIndex pod) const {
  const PodShape& shape = shape_of(pod);
  for (const auto& [r, amount] : shape.requests) {
    if (node.requested.size() <= r) node.requested.resize(r + 1);
    node.requested[r] += amount;
  }
  node.scored_cpu += shape.scored_cpu;
  node.scored_memory += shape.scored_memory;
  node.pods.push_back(pod);
  for (const HostPort& port : shape.ports)
    if (std::ranges::find(node.ports, port) == node.ports.end()) node.ports.push_back(port);
}

/// The last pod takes the place of the removed one, as in the scheduler's own list: the order decides ties of
/// victims.
void Snapshot::remove_from(NodeInfo& node, PodIndex pod) const {
  const PodShape& shape = shape_of(pod);
  for (const auto& [r, amount] : shape.requests) node.requested[r] -= amount;
  node.scored_cpu -= shape.scored_cpu;
  node.scored_memory -= shape.scored_memory;
  const auto it = std::ranges::find(node.pods, pod);
  *it = node.pods.back();
  node.pods.pop_back();
  for (const HostPort& port : shape.ports) std::erase(node.ports, port);
}

void Snapshot::bind(PodIndex pod, NodeIndex node) {
  last_start_ = last_start_ ? *last_start_ + Duration::seconds(1) : Instant{};
  pods_[pod].started = last_start_;
  pods_[pod].node = node;
  add_to(nodes_[node], pod);
}

void Snapshot::evict(PodIndex pod) {
  remove_from(nodes_[pods_[pod].node], pod);
  pods_[pod].node = kNoNode;
}

void Snapshot::put_back(PodIndex pod, const PodRecord& as_it_was) {
  pods_[pod] = as_it_was;
  add_to(nodes_[as_it_was.node], pod);
}

}  // namespace etiage::placement
