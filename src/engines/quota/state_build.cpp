// Objects to a state: names become numbers, cohorts become trees, workloads that hold quota are counted.

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

#include "engines/quota/resources.h"
#include "engines/quota/state.h"

namespace etiage::quota {

namespace {

constexpr int kDeepestCohorts = 256;  ///< beyond any real organisation; bounds the recursion

const Condition* find(const std::vector<Condition>& conditions, std::string_view type) {
  const auto it =
      std::find_if(conditions.begin(), conditions.end(), [&](const Condition& c) { return c.type == type; });
  return it == conditions.end() ? nullptr : &*it;
}

bool is_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* c = find(conditions, type);
  return c && c->status == "True";
}

double weight_of(const std::optional<Quantity>& weight) {
  return weight ? weight->as_double() : 1.0;
}

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

class StateBuilder {
 public:
  StateBuilder(State& state, const QueueObjects& objects) : s_(state), o_(objects) {}

  Result<void> build() {
    number_resources();
    add_namespaces();
    add_flavors();
    add_topologies();
    sort_queues();
    if (Result<void> tree = build_tree(); !tree) return tree;
    for (QueueState& queue : s_.queues) add_groups(queue);
    add_local_queues();
    add_workloads();
    return {};
  }

 private:
  void add_namespaces();
  void number_resources();
  void add_flavors();
  void add_topologies();
  void sort_queues();
  std::vector<QuotaSpec> quotas_of(const std::vector<ResourceGroup>& groups);
  Result<void> build_tree();
  void note_used_pairs(std::vector<NodeSpec>& nodes, std::size_t first_queue);
  void add_groups(QueueState& queue);
  void add_checks(QueueState& queue);
  bool can_admit(const QueueState& queue) const;
  void add_local_queues();
  void add_workloads();
  ShapeId shape_of(const Workload& workload);
  void read_conditions(WorkloadState& w);
  Grant grant_of(const WorkloadState& w) const;
  void add_topology(Grant& grant, std::uint32_t pod_set, const PodSetAdmission& admission,
                    const std::vector<ResourceAmount>& usage, std::int32_t count,
                    const PodSetShape* shape) const;

  State& s_;
  const QueueObjects& o_;
  std::map<std::string, QueueId, std::less<>> queue_by_name_;
  std::unordered_map<std::string, ShapeId> shape_by_key_;
};

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
  std::set<std::string> seen;
  for (const Workload& w : o_.workloads) {
    if (!seen.insert(shape_key(w, s_.release.gates)).second && !w.admission) continue;
    collect_resources(w, s_.configuration, names);
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

void StateBuilder::add_local_queues() {
  for (const LocalQueue& q : o_.local_queues) {
    LocalQueueState& queue = s_.local_queues.emplace_back();
    queue.spec = &q;
    const auto found = queue_by_name_.find(q.cluster_queue);
    if (found != queue_by_name_.end()) queue.queue = found->second;
    queue.weight = weight_of(q.fair_weight);
  }
}

ShapeId StateBuilder::shape_of(const Workload& workload) {
  const auto [it, fresh] = shape_by_key_.try_emplace(shape_key(workload, s_.release.gates),
                                                     ShapeId{static_cast<std::uint32_t>(s_.shapes.size())});
  if (fresh) s_.shapes.push_back(make_shape(workload, s_.configuration, s_.release.gates, s_.resources));
  return it->second;
}

void StateBuilder::add_workloads() {
  std::map<std::pair<std::string, std::string>, LocalQueueId> local_queue_by_name;
  for (std::uint32_t i = 0; i < o_.local_queues.size(); ++i)
    local_queue_by_name.try_emplace({o_.local_queues[i].meta.ns, o_.local_queues[i].meta.name},
                                    LocalQueueId{i});
  std::map<std::string, std::int32_t, std::less<>> priority_of;
  for (const WorkloadPriorityClass& c : o_.priority_classes) priority_of[c.meta.name] = c.value;
  s_.workloads.resize(o_.workloads.size());
  std::vector<std::uint32_t> by_uid(o_.workloads.size());
  std::iota(by_uid.begin(), by_uid.end(), 0U);
  std::stable_sort(by_uid.begin(), by_uid.end(), [&](std::uint32_t a, std::uint32_t b) {
    return o_.workloads[a].meta.uid < o_.workloads[b].meta.uid;
  });
  for (std::uint32_t rank = 0; rank < by_uid.size(); ++rank) s_.workloads[by_uid[rank]].uid_rank = rank;
  for (std::uint32_t i = 0; i < o_.workloads.size(); ++i) {
    WorkloadState& w = s_.workloads[i];
    w.spec = &o_.workloads[i];
    w.shape = shape_of(*w.spec);
    const auto by_class = priority_of.find(w.spec->priority_class);
    w.priority = w.spec->priority.value_or(by_class == priority_of.end() ? 0 : by_class->second);
    if (s_.release.gates.priority_boost)
      if (const auto boost = w.spec->meta.annotations.find("kueue.x-k8s.io/priority-boost");
          boost != w.spec->meta.annotations.end()) {
        std::int32_t more = 0;
        const std::string& text = boost->second;
        if (std::from_chars(text.data(), text.data() + text.size(), more).ec == std::errc{})
          w.priority += more;
      }
    const auto local = local_queue_by_name.find({w.spec->meta.ns, w.spec->queue});
    if (local != local_queue_by_name.end()) {
      w.local_queue = local->second;
      w.queue = s_.local_queues[local->second.index()].queue;
    }
    read_conditions(w);
    const bool holds = w.reserved && w.spec->admission && w.active && !w.finished;
    const auto granted = holds ? queue_by_name_.find(w.spec->admission->cluster_queue) : queue_by_name_.end();
    if (granted == queue_by_name_.end()) continue;
    w.queue = granted->second;
    s_.reserve({i}, grant_of(w));
  }
}

void StateBuilder::read_conditions(WorkloadState& w) {
  const auto& conditions = w.spec->conditions;
  w.active = w.spec->active;
  w.finished = is_true(conditions, "Finished");
  w.admitted = is_true(conditions, "Admitted");
  w.evicted = is_true(conditions, "Evicted");
  w.preempted = is_true(conditions, "Preempted");
  w.checks = w.spec->admission_checks;
  w.requeue_at = w.spec->requeue_at;
  w.requeue_count = w.spec->requeue_count;
  w.requests_known = w.spec->resource_requests_known;
  if (const Condition* c = find(conditions, "QuotaReserved")) {
    w.reserved = c->status == "True";
    w.reserved_at = c->since ? c->since->ns : 0;
    w.status_reason = c->reason;
    w.status = std::make_unique<StatusText>();
    w.status->plain = c->message;
  }
  if (const Condition* c = find(conditions, "Evicted")) {
    w.evicted_message = c->message;
    w.evicted_at = c->since;
    w.evicted_reason = c->reason;
  }
  if (const Condition* c = find(conditions, "Preempted")) {
    w.preempted_at = c->since;
    w.preempted_reason = c->reason;
  }
  if (const Condition* c = find(conditions, "Requeued")) {
    w.requeued = c->status == "True" ? WorkloadState::Requeued::kTrue : WorkloadState::Requeued::kFalse;
    w.requeued_reason = c->reason;
  }
  if (s_.release.gates.admission_gated_by)
    if (const auto gate = w.spec->meta.annotations.find("kueue.x-k8s.io/admission-gated-by");
        gate != w.spec->meta.annotations.end())
      w.gated = !gate->second.empty();
}

Grant StateBuilder::grant_of(const WorkloadState& w) const {
  Grant out;
  const Shape& shape = s_.shapes[w.shape.index()];
  const NodeId node = s_.queues[w.queue.index()].node;
  for (const PodSetAdmission& a : w.spec->admission->pod_sets) {
    const auto named = std::find(shape.pod_set_names.begin(), shape.pod_set_names.end(), a.name);
    const PodSetShape* pod_set =
        named == shape.pod_set_names.end()
            ? nullptr
            : &shape.pod_sets[static_cast<std::size_t>(named - shape.pod_set_names.begin())];
    std::int32_t count = a.count.value_or(pod_set ? pod_set->spec->count : 0);
    const auto index = static_cast<std::uint32_t>(out.ends.size());
    std::vector<ResourceAmount> usage;
    for (const auto& [resource, quantity] : a.usage)
      usage.push_back({s_.resources.find(resource), amount_of(resource, quantity)});
    std::sort(usage.begin(), usage.end(),
              [](const auto& x, const auto& y) { return x.resource < y.resource; });
    add_topology(out, index, a, usage, count, pod_set);
    const std::int32_t left = pod_set ? std::min(pod_set->count, count) : count;
    for (const ResourceAmount& u : usage) {
      const auto flavor = a.flavors.find(s_.resources[u.resource]);
      if (flavor == a.flavors.end()) continue;
      const FlavorId id = s_.flavor_names.find(flavor->second);
      const Amount amount = left < count ? times(u.amount / std::max(count, 1), left) : u.amount;
      out.resources.push_back({u.resource, id, s_.tree.column(node, id, u.resource), amount});
    }
    out.ends.push_back(static_cast<std::uint32_t>(out.resources.size()));
    out.counts.push_back(count);
    out.pod_sets.push_back(a.name);
    out.topology_delayed |= a.topology_delayed && !a.topology;
  }
  return out;
}

void StateBuilder::add_topology(Grant& grant, std::uint32_t pod_set, const PodSetAdmission& admission,
                                const std::vector<ResourceAmount>& usage, std::int32_t count,
                                const PodSetShape* shape) const {
  if (!admission.topology || !s_.release.gates.topology_aware_scheduling) return;
  std::set<std::int32_t> topologies;
  for (const auto& kv : admission.flavors)
    topologies.insert(s_.flavors[s_.flavor_names.find(kv.second).index()].topology);
  for (const std::int32_t topology : topologies) {
    AssignedTopology t{.pod_set = pod_set,
                       .topology = topology,
                       .domains = {},
                       .per_pod = {},
                       .as_given = &*admission.topology};
    // 0.17 counts what was assigned against quota, later releases what the pod asks for.
    if (s_.release.after_017() && shape)
      t.per_pod = shape->placed_per_pod;
    else
      for (const ResourceAmount& u : usage) t.per_pod.push_back({u.resource, u.amount / std::max(count, 1)});
    if (topology != kNoTopology)
      for (const TopologyDomain& d : admission.topology->domains)
        t.domains.push_back({s_.topologies[static_cast<std::size_t>(topology)].find_leaf(d.values), d.count});
    grant.topologies.push_back(std::move(t));
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
