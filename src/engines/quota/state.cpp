#include "engines/quota/state.h"

#include <algorithm>

namespace etiage::quota {

std::int32_t QueueState::group_of(ResourceId resource, std::size_t* slot) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& covered = groups[g].covered;
    for (std::size_t i = 0; i < covered.size(); ++i)
      if (covered[i] == resource) {
        if (slot) *slot = i;
        return static_cast<std::int32_t>(g);
      }
  }
  return -1;
}

TopologyUsage usage_of(const AssignedTopology& t) {
  return {t.domains, t.per_pod, t.times};
}

const LabelMap* State::namespace_labels(const std::string& name) const {
  const auto it = namespaces_.find(name);
  return it == namespaces_.end() ? nullptr : &it->second;
}

std::string State::path_of(QueueId q) const {
  std::string out;
  for (NodeId n = queues[q.index()].node; n.valid(); n = tree.parent(n))
    out = "/" + node_names[n.index()] + out;
  return out;
}

void State::change_usage(WorkloadId id, int sign) {
  const WorkloadState& w = workloads[id.index()];
  const NodeId node = queues[w.queue.index()].node;
  for (const Assigned& a : w.grant->resources) {
    if (a.column == kNoColumn) continue;
    if (sign > 0)
      tree.add_usage(node, a.column, a.amount);
    else
      tree.remove_usage(node, a.column, a.amount);
  }
  for (const AssignedTopology& t : w.grant->topologies)
    if (t.topology != kNoTopology)
      topologies[static_cast<std::size_t>(t.topology)].add_usage(usage_of(t), sign, tree.log());
}

bool State::uses_any(WorkloadId id, std::span<const Column> columns) const {
  const auto& held = workloads[id.index()].grant->resources;
  return std::any_of(held.begin(), held.end(), [&](const Assigned& a) {
    return std::find(columns.begin(), columns.end(), a.column) != columns.end();
  });
}

namespace {

/// Since 0.18 a host's usage counts in every topology that has the host among its leaves.
void spread(State& state, const AssignedTopology& t, int sign) {
  if (!state.release.gates.tas_handle_overlapping_flavors) return;
  const TasTopology& own = state.topologies[static_cast<std::size_t>(t.topology)];
  if (!own.hosts_are_leaves()) return;
  for (TasTopology& other : state.topologies) {
    if (&other == &own || !other.hosts_are_leaves()) continue;
    std::vector<LeafPods> there;
    for (const LeafPods& d : t.domains)
      if (d.leaf >= 0) there.push_back({other.find_leaf(own.assigned_values(d.leaf)), d.pods});
    other.add_usage({there, t.per_pod, t.times}, sign, state.tree.log());
  }
}

}  // namespace

void State::change_local_queue(const WorkloadState& w, int sign) {
  if (!w.local_queue.valid() || !w.admitted || !admission_fair_sharing()) return;
  auto& admitted = local_queues[w.local_queue.index()].admitted;
  for (const Assigned& a : w.grant->resources) {
    auto it = std::find_if(admitted.begin(), admitted.end(),
                           [&](const auto& r) { return r.resource == a.resource; });
    if (it == admitted.end()) it = admitted.insert(it, {a.resource, 0});
    it->amount = plus(it->amount, sign * a.amount);
  }
}

void State::reserve(WorkloadId id, Grant grant) {
  WorkloadState& w = workloads[id.index()];
  QueueState& queue = queues[w.queue.index()];
  w.grant = std::make_unique<Grant>(std::move(grant));
  w.slot = static_cast<std::uint32_t>(queue.reserving.size());
  queue.reserving.push_back(id);
  change_usage(id, 1);
  for (const AssignedTopology& t : w.grant->topologies)
    if (t.topology != kNoTopology) spread(*this, t, 1);
  change_local_queue(w, 1);
  tree.log().forget();
}

void State::release_quota(WorkloadId id) {
  WorkloadState& w = workloads[id.index()];
  QueueState& queue = queues[w.queue.index()];
  change_usage(id, -1);
  for (const AssignedTopology& t : w.grant->topologies)
    if (t.topology != kNoTopology) spread(*this, t, -1);
  change_local_queue(w, -1);
  tree.log().forget();
  const WorkloadId last = queue.reserving.back();
  queue.reserving[w.slot] = last;
  workloads[last.index()].slot = w.slot;
  queue.reserving.pop_back();
  ++queue.generation;
  w.grant.reset();
}

void State::mark_admitted(WorkloadId id) {
  WorkloadState& w = workloads[id.index()];
  w.admitted = true;
  change_local_queue(w, 1);
}

}  // namespace etiage::quota
