// ClusterQueues and cohorts to a tree of quotas.

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/resources.h"
#include "engines/quota/state_builder.h"

namespace etiage::quota {

namespace {

constexpr int kDeepestCohorts = 256;  ///< beyond any real organisation; bounds the recursion

}  // namespace

void StateBuilder::sort_queues() {
  std::map<std::string, const ClusterQueue*> by_name;
  for (const ClusterQueue& q : o_.cluster_queues) by_name.try_emplace(q.meta.name, &q);
  for (const auto& [name, spec] : by_name) {
    queue_by_name_[name] = {static_cast<std::uint32_t>(s_.queues.size())};
    s_.queues.emplace_back().spec = spec;
  }
}

std::vector<QuotaSpec> StateBuilder::quotas_of(const std::vector<ResourceGroup>& groups) {
  std::vector<QuotaSpec> out;
  for (const ResourceGroup& g : groups)
    for (const FlavorQuotas& f : g.flavors)
      for (const ResourceQuota& q : f.resources) {
        QuotaSpec spec{s_.flavor_names.find(f.flavor), s_.resources.find(q.resource),
                       amount_of(q.resource, q.nominal)};
        if (q.borrowing_limit) spec.borrowing_limit = amount_of(q.resource, *q.borrowing_limit);
        if (q.lending_limit && s_.release.gates.lending_limit)
          spec.lending_limit = amount_of(q.resource, *q.lending_limit);
        out.push_back(spec);
      }
  return out;
}

Result<void> StateBuilder::build_tree() {
  std::map<std::string, const Cohort*> cohorts;
  for (const Cohort& c : o_.cohorts) {
    cohorts[c.meta.name] = &c;
    if (!c.parent.empty()) cohorts.try_emplace(c.parent, nullptr);
  }
  for (const QueueState& q : s_.queues)
    if (!q.spec->cohort.empty()) cohorts.try_emplace(q.spec->cohort, nullptr);
  std::map<std::string, NodeId> node_of;
  std::vector<NodeSpec> nodes;
  for (const auto& [name, cohort] : cohorts) {
    node_of[name] = {static_cast<std::uint32_t>(nodes.size())};
    s_.node_names.push_back(name);
    NodeSpec& node = nodes.emplace_back();
    if (!cohort) continue;
    node.weight = weight_of(cohort->fair_weight);
    node.quotas = quotas_of(cohort->resource_groups);
  }
  for (const auto& [name, cohort] : cohorts)
    if (cohort && !cohort->parent.empty()) nodes[node_of[name].index()].parent = node_of[cohort->parent];
  // A cohort that never reaches a root stands in a cycle, or hangs on one.
  std::vector<bool> in_cycle(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::size_t steps = 0;
    NodeId n{static_cast<std::uint32_t>(i)};
    while (nodes[n.index()].parent.valid() && steps <= nodes.size()) n = nodes[n.index()].parent, ++steps;
    in_cycle[i] = steps > nodes.size();
    if (!in_cycle[i] && steps > kDeepestCohorts)
      return failure(
          fmt::format("Cohort {} lies more than {} levels deep", s_.node_names[i], kDeepestCohorts));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (in_cycle[i]) nodes[i].parent = {};
  const std::size_t first_queue = nodes.size();
  for (QueueState& queue : s_.queues) {
    queue.node = {static_cast<std::uint32_t>(nodes.size())};
    s_.node_names.push_back(queue.spec->meta.name);
    NodeSpec& node = nodes.emplace_back();
    node.is_queue = true;
    node.weight = weight_of(queue.spec->fair_weight);
    node.quotas = quotas_of(queue.spec->resource_groups);
    if (!queue.spec->cohort.empty()) {
      const NodeId parent = node_of[queue.spec->cohort];
      queue.in_cycle = in_cycle[parent.index()];
      if (!queue.in_cycle) node.parent = parent;
    }
    add_checks(queue);
    queue.active = can_admit(queue);
    node.active = queue.active && !queue.in_cycle;
  }
  note_used_pairs(nodes, first_queue);
  s_.tree = QuotaTree(nodes);
  s_.queue_of_node.resize(nodes.size());
  for (std::size_t i = 0; i < s_.queues.size(); ++i)
    s_.queue_of_node[first_queue + i] = {static_cast<std::uint32_t>(i)};
  return {};
}

void StateBuilder::note_used_pairs(std::vector<NodeSpec>& nodes, std::size_t first_queue) {
  for (const Workload& w : o_.workloads) {
    if (!w.admission) continue;
    const auto queue = queue_by_name_.find(w.admission->cluster_queue);
    if (queue == queue_by_name_.end()) continue;
    NodeSpec& node = nodes[first_queue + queue->second.index()];
    for (const PodSetAdmission& a : w.admission->pod_sets)
      for (const auto& [resource, flavor] : a.flavors)
        if (const ResourceId r = s_.resources.find(resource); r.valid())
          node.also_used.emplace_back(s_.flavor_names.find(flavor), r);
  }
  for (std::size_t i = first_queue; i < nodes.size(); ++i) {
    auto& used = nodes[i].also_used;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  }
}

void StateBuilder::add_checks(QueueState& queue) {
  for (const AdmissionCheckRule& rule : queue.spec->admission_checks) {
    QueueCheck& check = queue.checks.emplace_back();
    check.name = rule.name;
    if (rule.on_flavors.empty())
      for (const ResourceGroup& g : queue.spec->resource_groups)
        for (const FlavorQuotas& f : g.flavors) check.flavors.push_back(s_.flavor_names.find(f.flavor));
    for (const std::string& f : rule.on_flavors)
      if (const FlavorId id = s_.flavor_names.find(f); id.valid()) check.flavors.push_back(id);
    std::sort(check.flavors.begin(), check.flavors.end());
    for (const AdmissionCheck& object : o_.admission_checks)
      if (object.meta.name == rule.name) {
        check.provisioning = object.controller == "kueue.x-k8s.io/provisioning-request";
        check.multi_kueue = object.controller == "kueue.x-k8s.io/multikueue";
      }
  }
}

/// Kueue's conditions for `Active`: everything it names exists, and it is not stopped.
bool StateBuilder::can_admit(const QueueState& queue) const {
  std::vector<FlavorId> all_flavors;
  for (const ResourceGroup& g : queue.spec->resource_groups)
    for (const FlavorQuotas& f : g.flavors) all_flavors.push_back(s_.flavor_names.find(f.flavor));
  std::sort(all_flavors.begin(), all_flavors.end());
  std::size_t multi_kueue = 0, provisioning = 0;
  for (const QueueCheck& check : queue.checks) {
    // MultiKueue takes whole workloads, never some flavors of one.
    if (check.multi_kueue && check.flavors != all_flavors) return false;
    const auto object = std::find_if(o_.admission_checks.begin(), o_.admission_checks.end(),
                                     [&](const AdmissionCheck& c) { return c.meta.name == check.name; });
    if (object == o_.admission_checks.end() || !is_true(object->conditions, "Active")) return false;
    multi_kueue += check.multi_kueue;
    provisioning += check.provisioning;
  }
  if (multi_kueue > 1 || (multi_kueue > 0 && provisioning > 0) || queue.spec->stop != StopPolicy::kNone)
    return false;
  for (const ResourceGroup& g : queue.spec->resource_groups)
    for (const FlavorQuotas& f : g.flavors) {
      const FlavorState& flavor = s_.flavors[s_.flavor_names.find(f.flavor).index()];
      if (!flavor.spec) return false;
      const bool unknown_topology = !flavor.spec->topology.empty() && flavor.topology == kNoTopology;
      if (unknown_topology && s_.release.gates.topology_aware_scheduling && multi_kueue == 0) return false;
    }
  return true;
}

void StateBuilder::add_groups(QueueState& queue) {
  queue.plain = queue.only_topology = true;
  queue.usage_based = s_.admission_fair_sharing() && queue.spec->usage_based_admission;
  queue.generation = 1;
  for (const ResourceGroup& g : queue.spec->resource_groups) {
    QueueGroup& group = queue.groups.emplace_back();
    for (const std::string& r : g.covered_resources) group.covered.push_back(s_.resources.find(r));
    std::sort(group.covered.begin(), group.covered.end());
    group.covered.erase(std::unique(group.covered.begin(), group.covered.end()), group.covered.end());
    for (const FlavorQuotas& f : g.flavors) {
      const FlavorId flavor = s_.flavor_names.find(f.flavor);
      group.flavors.push_back(flavor);
      for (const ResourceId r : group.covered) group.columns.push_back(s_.tree.column(queue.node, flavor, r));
      const FlavorState& state = s_.flavors[flavor.index()];
      queue.plain &= state.plain;
      queue.only_topology &= state.spec && !state.spec->topology.empty();
      if (state.spec)
        for (const auto& kv : state.spec->node_labels) group.label_keys.insert(kv);
    }
  }
  queue.plain &= !queue.only_topology;
  queue.pods_group = queue.group_of(s_.pods);
}

}  // namespace etiage::quota
