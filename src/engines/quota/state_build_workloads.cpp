// LocalQueues and workloads, and what they hold.

#include <algorithm>
#include <charconv>
#include <set>

#include "engines/quota/resources.h"
#include "engines/quota/state_builder.h"

namespace etiage::quota {

void StateBuilder::add_local_queues() {
  for (const LocalQueue& q : o_.local_queues) {
    LocalQueueState& queue = s_.local_queues.emplace_back();
    queue.spec = &q;
    const auto found = queue_by_name_.find(q.cluster_queue);
    if (found != queue_by_name_.end()) queue.queue = found->second;
    queue.weight = weight_of(q.fair_weight);
  }
}

/// Most workloads ask what one of the last few asked; to compare them is cheaper than to spell them out.
ShapeId StateBuilder::number_shape(const Workload& workload) {
  constexpr std::size_t kRecent = 4;
  for (const ShapeId id : recent_shapes_) {
    const Workload& first = *first_of_shape_[id.index()];
    if (workload.reclaimable_pods.empty() && first.reclaimable_pods.empty() &&
        workload.pod_sets == first.pod_sets)
      return id;
  }
  const auto [it, fresh] = shape_by_key_.try_emplace(
      shape_key(workload, s_.release.gates), ShapeId{static_cast<std::uint32_t>(first_of_shape_.size())});
  if (fresh) first_of_shape_.push_back(&workload);
  recent_shapes_.insert(recent_shapes_.begin(), it->second);
  if (recent_shapes_.size() > kRecent) recent_shapes_.pop_back();
  return it->second;
}

void StateBuilder::add_shapes() {
  for (const Workload* w : first_of_shape_)
    s_.shapes.push_back(make_shape(*w, s_.configuration, s_.release.gates, s_.resources));
}

std::vector<std::uint32_t> StateBuilder::uid_ranks() const {
  std::vector<std::pair<std::string_view, std::uint32_t>> by_uid;
  for (std::uint32_t i = 0; i < o_.workloads.size(); ++i) by_uid.emplace_back(o_.workloads[i].meta.uid, i);
  std::sort(by_uid.begin(), by_uid.end());
  std::vector<std::uint32_t> out(by_uid.size());
  for (std::uint32_t rank = 0; rank < by_uid.size(); ++rank) out[by_uid[rank].second] = rank;
  return out;
}

std::int64_t StateBuilder::boost_of(const Workload& workload) const {
  if (!s_.release.gates.priority_boost) return 0;
  const auto boost = workload.meta.annotations.find("kueue.x-k8s.io/priority-boost");
  if (boost == workload.meta.annotations.end()) return 0;
  std::int32_t more = 0;
  const std::string& text = boost->second;
  const bool number = std::from_chars(text.data(), text.data() + text.size(), more).ec == std::errc{};
  return number ? more : 0;
}

void StateBuilder::add_workloads() {
  std::map<std::pair<std::string_view, std::string_view>, LocalQueueId> local_queue_by_name;
  for (std::uint32_t i = 0; i < o_.local_queues.size(); ++i)
    local_queue_by_name.try_emplace({o_.local_queues[i].meta.ns, o_.local_queues[i].meta.name},
                                    LocalQueueId{i});
  std::map<std::string_view, std::int32_t> priority_of;
  for (const WorkloadPriorityClass& c : o_.priority_classes) priority_of[c.meta.name] = c.value;
  const std::vector<std::uint32_t> ranks = uid_ranks();
  s_.workloads.resize(o_.workloads.size());
  for (std::uint32_t i = 0; i < o_.workloads.size(); ++i) {
    WorkloadState& w = s_.workloads[i];
    w.spec = &o_.workloads[i];
    w.uid_rank = ranks[i];
    w.shape = shape_of_[i];
    const auto by_class = priority_of.find(w.spec->priority_class);
    w.priority = w.spec->priority.value_or(by_class == priority_of.end() ? 0 : by_class->second);
    w.priority += boost_of(*w.spec);
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
    std::int32_t count = a.count.value_or(
        pod_set ? w.spec->pod_sets[static_cast<std::size_t>(pod_set - shape.pod_sets.data())].count : 0);
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

}  // namespace etiage::quota
