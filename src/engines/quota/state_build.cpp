#include <algorithm>
#include <string>

#include "engines/quota/resources.h"
#include "engines/quota/state_builder.h"

namespace etiage::quota {

namespace {

bool usable(const Node& node) {
  return !node.unschedulable && is_true(node.conditions, "Ready");
}

/// A pod that Kueue itself placed is counted with its workload.
bool placed_by_kueue(const Pod& pod) {
  for (const char* key :
       {"kueue.x-k8s.io/podset-required-topology", "kueue.x-k8s.io/podset-preferred-topology",
        "kueue.x-k8s.io/podset-unconstrained-topology"})
    if (pod.meta.annotations.contains(key)) return true;
  return false;
}

}  // namespace

/// Where the input names no namespace at all, those of the workloads exist with the label that every
/// namespace has.
void StateBuilder::add_namespaces() {
  for (const Namespace& ns : o_.namespaces) s_.namespaces_[ns.meta.name] = ns.meta.labels;
  if (!o_.namespaces.empty()) return;
  for (const Workload& w : o_.workloads)
    s_.namespaces_[w.meta.ns] = {{"kubernetes.io/metadata.name", w.meta.ns}};
}

void StateBuilder::number_resources() {
  std::vector<std::string> names{"pods"};
  const auto add_groups = [&](const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& g : groups) {
      names.insert(names.end(), g.covered_resources.begin(), g.covered_resources.end());
      for (const FlavorQuotas& f : g.flavors)
        for (const ResourceQuota& q : f.resources) names.push_back(q.resource);
    }
  };
  for (const ClusterQueue& q : o_.cluster_queues) add_groups(q.resource_groups);
  for (const Cohort& c : o_.cohorts) add_groups(c.resource_groups);
  for (const Node& n : o_.nodes)
    for (const auto& kv : n.allocatable) names.push_back(kv.first);
  for (const Pod& p : o_.pods)
    for (const auto& kv : effective_requests(p.spec)) names.push_back(kv.first);
  for (const Workload& w : o_.workloads) {
    const std::size_t known = first_of_shape_.size();
    shape_of_.push_back(number_shape(w));
    if (first_of_shape_.size() > known || w.admission) collect_resources(w, s_.configuration, names);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) s_.resources.add(name);
  s_.pods = s_.resources.find("pods");
}

void StateBuilder::add_flavors() {
  for (const ResourceFlavor& f : o_.flavors) s_.flavor_names.add(f.meta.name);
  const auto add_names = [&](const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& g : groups)
      for (const FlavorQuotas& f : g.flavors) s_.flavor_names.add(f.flavor);
  };
  for (const ClusterQueue& q : o_.cluster_queues) add_names(q.resource_groups);
  for (const Cohort& c : o_.cohorts) add_names(c.resource_groups);
  for (const Workload& w : o_.workloads)
    if (w.admission)
      for (const PodSetAdmission& a : w.admission->pod_sets)
        for (const auto& kv : a.flavors) s_.flavor_names.add(kv.second);
  s_.flavors.resize(s_.flavor_names.size());
  for (const ResourceFlavor& f : o_.flavors) {
    FlavorState& flavor = s_.flavors[s_.flavor_names.find(f.meta.name).index()];
    flavor.spec = &f;
    flavor.plain = f.node_labels.empty() && f.node_taints.empty() && f.topology.empty();
  }
}

void StateBuilder::add_topologies() {
  if (!s_.release.gates.topology_aware_scheduling) return;
  for (std::uint32_t i = 0; i < s_.flavors.size(); ++i) {
    FlavorState& flavor = s_.flavors[i];
    if (!flavor.spec || flavor.spec->topology.empty()) continue;
    const auto topology = std::find_if(o_.topologies.begin(), o_.topologies.end(), [&](const Topology& t) {
      return t.meta.name == flavor.spec->topology;
    });
    if (topology == o_.topologies.end() || topology->levels.empty()) continue;
    std::vector<const Node*> nodes;
    for (const Node& node : o_.nodes) {
      const auto has = [&](const auto& kv) {
        const auto it = node.meta.labels.find(kv.first);
        return it != node.meta.labels.end() && it->second == kv.second;
      };
      if (usable(node) &&
          std::all_of(flavor.spec->node_labels.begin(), flavor.spec->node_labels.end(), has) &&
          std::all_of(topology->levels.begin(), topology->levels.end(),
                      [&](const std::string& level) { return node.meta.labels.contains(level); }))
        nodes.push_back(&node);
    }
    flavor.topology = static_cast<std::int32_t>(s_.topologies.size());
    TasTopology& built = s_.topologies.emplace_back(*topology, *flavor.spec, nodes, s_.resources, s_.pods);
    s_.topology_flavors.push_back({i});
    for (const Pod& pod : o_.pods) {
      if (pod.status.phase == "Succeeded" || pod.status.phase == "Failed" || placed_by_kueue(pod)) continue;
      std::vector<ResourceAmount> requests;
      for (const auto& [name, quantity] : effective_requests(pod.spec))
        requests.push_back({s_.resources.find(name), amount_of(name, quantity)});
      built.take(pod.spec.node_name, requests);
    }
  }
}

Result<State> State::make(const QueueObjects& objects, const QueueConfiguration& configuration,
                          const Release& release) {
  State state;
  state.objects = &objects;
  state.configuration = configuration;
  state.release = release;
  if (Result<void> built = StateBuilder(state, objects).build(); !built)
    return std::unexpected(built.error());
  return state;
}

}  // namespace etiage::quota
