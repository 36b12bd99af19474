#include "engines/quota/nomination.h"

#include <algorithm>

namespace etiage::quota {

namespace {

std::int64_t may_go(const PodSet& p) {
  return p.count - std::min(p.min_count.value_or(p.count), p.count);
}

/// Flavors for these counts, and victims where they need any. True: it would be admitted now, or after
/// preemption.
bool attempt(Assigner& assigner, Entry& entry, std::span<const std::int32_t> counts,
             const Nomination* nomination) {
  entry.targets.clear();
  assigner.assign(entry.assignment, counts, nomination);
  const Mode mode = entry.assignment.mode();
  if (mode == Mode::kPreempt) entry.targets = assigner.targets(entry.assignment);
  return mode == Mode::kFit || !entry.targets.empty();
}

/// The largest counts, between the minimum and everything, that some flavors take.
bool reduce(Assigner& assigner, const Workload& workload, Entry& entry, const Nomination* nomination) {
  const std::int64_t total = most_cut(workload);
  if (total <= 0) return false;
  Entry best;
  std::int64_t best_cut = -1, low = 0, high = total + 1;
  std::vector<std::int32_t> counts;
  while (low < high) {
    const std::int64_t cut = low + (high - low) / 2;
    reduced_counts(workload, cut, counts);
    if (attempt(assigner, entry, counts, nomination)) {
      std::swap(best.assignment, entry.assignment);
      std::swap(best.targets, entry.targets);
      best_cut = high = cut;
    } else {
      low = cut + 1;
    }
  }
  if (best_cut != low) return false;
  std::swap(best.assignment, entry.assignment);
  std::swap(best.targets, entry.targets);
  return true;
}

void search(State& state, Assigner& assigner, Entry& entry, const Nomination* nomination) {
  if (attempt(assigner, entry, {}, nomination)) return;
  if (!state.release.gates.partial_admission) return;
  Assignment full;
  std::swap(full, entry.assignment);
  if (reduce(assigner, *state.workloads[entry.workload.index()].spec, entry, nomination)) return;
  std::swap(full, entry.assignment);
  entry.targets.clear();
}

/// Even what has to wait for preemption claims its places, so that nobody behind it takes them.
void place_after_preemption(State& state, Assigner& assigner, Entry& entry) {
  const QueueState& queue = state.queues[state.workloads[entry.workload.index()].queue.index()];
  const bool wants = state.shape_of(entry.workload).explicit_topology || queue.only_topology;
  if (!state.release.gates.topology_aware_scheduling || !wants || entry.assignment.mode() != Mode::kPreempt)
    return;
  const TopologyRequests requests = assigner.topology_requests(entry.assignment);
  const UndoLog::Mark mark = state.tree.log().mark();
  for (const Target& t : entry.targets) state.remove_usage(t.workload);
  const TopologyOutcome outcome = find_topologies(state, requests, entry.targets.empty());
  state.tree.log().revert_to(mark);
  Assigner::set_topologies(entry.assignment, outcome);
}

std::int32_t topology_of(const State& state, const Pick& pick) {
  return state.flavors[pick.flavor.index()].topology;
}

std::vector<ResourceAmount> divided(const PodSetAssignment& a, const std::vector<ResourceAmount>& amounts) {
  std::vector<ResourceAmount> out = amounts;
  for (ResourceAmount& r : out) r.amount /= std::max(a.count, 1);
  return out;
}

/// 0.17 counts a place once for every resource whose flavor has the topology.
void add_places_017(const State& state, const PodSetAssignment& a, std::uint32_t index,
                    std::vector<AssignedTopology>& out) {
  std::vector<ResourceAmount> placed;
  for (const ResourceAmount& r : a.requests)
    if (const Pick* p = a.pick(r.resource); p && topology_of(state, *p) != kNoTopology) placed.push_back(r);
  for (const Pick& p : a.picks) {
    const std::int32_t topology = topology_of(state, p);
    if (topology == kNoTopology) continue;
    const auto same = std::find_if(
        out.begin(), out.end(), [&](const auto& t) { return t.pod_set == index && t.topology == topology; });
    if (same != out.end())
      ++same->times;
    else
      out.push_back({index, topology, *a.topology, divided(a, placed), 1});
  }
}

}  // namespace

std::int64_t most_cut(const Workload& workload) {
  std::int64_t out = 0;
  for (const PodSet& p : workload.pod_sets) out += may_go(p);
  return out;
}

void reduced_counts(const Workload& workload, std::int64_t cut, std::vector<std::int32_t>& counts) {
  const std::int64_t total = most_cut(workload);
  counts.clear();
  for (const PodSet& p : workload.pod_sets)
    counts.push_back(static_cast<std::int32_t>(p.count - may_go(p) * cut / total));
}

void nominate(State& state, Entry& entry, std::int64_t now, const Nomination* nomination) {
  Assigner assigner(state, entry.workload, now);
  search(state, assigner, entry, nomination);
  place_after_preemption(state, assigner, entry);
  entry.keep_last_tried = true;
}

Nomination nomination_of(const Assignment& assignment) {
  Nomination out;
  for (const PodSetAssignment& a : assignment.pod_sets) {
    auto& flavors = out.emplace_back();
    for (const Pick& p : a.picks) flavors.emplace_back(p.resource, p.flavor);
  }
  return out;
}

std::vector<AssignedTopology> places_in_cycle(const State& state, const Entry& entry) {
  std::vector<AssignedTopology> out;
  const Shape& shape = state.shape_of(entry.workload);
  for (std::uint32_t i = 0; i < entry.assignment.pod_sets.size(); ++i) {
    const PodSetAssignment& a = entry.assignment.pod_sets[i];
    if (!a.topology) continue;
    if (!state.release.after_017()) {
      add_places_017(state, a, i, out);
      continue;
    }
    for (const Pick& p : a.picks)
      if (topology_of(state, p) != kNoTopology) {
        out.push_back({i, topology_of(state, p), *a.topology, shape.pod_sets[i].placed_per_pod, 1});
        break;
      }
  }
  return out;
}

Grant grant_of(const State& state, const Entry& entry) {
  Grant out;
  const Shape& shape = state.shape_of(entry.workload);
  const std::vector<PodSet>& asked_for = state.workloads[entry.workload.index()].spec->pod_sets;
  for (std::uint32_t i = 0; i < entry.assignment.pod_sets.size(); ++i) {
    const PodSetAssignment& a = entry.assignment.pod_sets[i];
    for (const Pick& p : a.picks) {
      const auto asked = std::find_if(a.requests.begin(), a.requests.end(),
                                      [&](const auto& r) { return r.resource == p.resource; });
      out.resources.push_back({p.resource, p.flavor, p.column, asked->amount});
    }
    out.ends.push_back(static_cast<std::uint32_t>(out.resources.size()));
    if (a.count != asked_for[i].count && out.counts.empty())
      for (const PodSet& p : asked_for) out.counts.push_back(p.count);
    if (!out.counts.empty()) out.counts[i] = a.count;
    out.topology_delayed |= a.topology_delayed;
    if (!a.topology) continue;
    std::vector<std::int32_t> seen;
    for (const Pick& p : a.picks) {
      const std::int32_t topology = topology_of(state, p);
      if (topology == kNoTopology || std::find(seen.begin(), seen.end(), topology) != seen.end()) continue;
      seen.push_back(topology);
      out.topologies.push_back(
          {i, topology, *a.topology,
           state.release.after_017() ? shape.pod_sets[i].placed_per_pod : divided(a, a.requests), 1});
    }
  }
  return out;
}

}  // namespace etiage::quota
