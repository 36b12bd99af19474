#include "engines/quota/preemption.h"

#include <algorithm>
#include <tuple>

#include "engines/quota/local_usage.h"

namespace etiage::quota {

const PlacementResult* TopologyOutcome::failure() const {
  const auto it =
      std::find_if(placed.begin(), placed.end(), [](const PlacementResult& r) { return !r.failure.empty(); });
  return it == placed.end() ? nullptr : &*it;
}

TopologyOutcome find_topologies(const State& state, const TopologyRequests& requests, bool empty) {
  TopologyOutcome out;
  AssumedUsage shared;
  for (const auto& of : requests.topologies) {
    const TasTopology& topology = state.topologies[static_cast<std::size_t>(of.topology)];
    const PlacementContext context{&topology, &state.release, &state.resources, state.pods, empty};
    AssumedUsage own;
    const bool share = state.release.gates.tas_handle_overlapping_flavors && topology.hosts_are_leaves();
    auto placed = place(context, of.requests, share ? shared : own);
    out.placed.insert(out.placed.end(), placed.begin(), placed.end());
  }
  std::stable_sort(out.placed.begin(), out.placed.end(),
                   [](const auto& a, const auto& b) { return a.pod_set < b.pod_set; });
  return out;
}

bool satisfies(const State& state, PreemptionPolicy policy, WorkloadId preemptor, WorkloadId candidate) {
  constexpr std::int64_t kBuffer = Duration::seconds(300).ns;
  const WorkloadState &p = state.workloads[preemptor.index()], &c = state.workloads[candidate.index()];
  switch (policy) {
    case PreemptionPolicy::kNever:
      return false;
    case PreemptionPolicy::kAny:
      return true;
    case PreemptionPolicy::kLowerPriority:
      return p.priority > c.priority;
    case PreemptionPolicy::kLowerOrNewerEqualPriority: {
      if (p.priority != c.priority) return p.priority > c.priority;
      const std::int64_t newer = c.order_time - p.order_time;
      return state.release.gates.timestamp_preemption_buffer ? newer > kBuffer : newer > 0;
    }
  }
  return false;
}

CandidateKey make_key(const State& state, WorkloadId workload, std::uint8_t rank) {
  const WorkloadState& w = state.workloads[workload.index()];
  return {.not_evicted = !w.evicted,
          .rank = rank,
          .priority = w.priority,
          .minus_reserved = -w.reserved_at,
          .uid_rank = w.uid_rank,
          .workload = workload};
}

bool before(const State& state, const CandidateKey& a, const CandidateKey& b, bool by_usage) {
  if (a.not_evicted != b.not_evicted) return b.not_evicted;
  if (a.rank != b.rank) return a.rank < b.rank;
  if (by_usage) {
    const WorkloadState &x = state.workloads[a.workload.index()], &y = state.workloads[b.workload.index()];
    const bool comparable = x.queue == y.queue && x.local_queue != y.local_queue && x.has_local_queue_usage &&
                            y.has_local_queue_usage;
    const int order = comparable ? order_of_usage(x.local_queue_usage, y.local_queue_usage) : 0;
    if (order != 0) return order > 0;
  }
  return std::tie(a.priority, a.minus_reserved, a.uid_rank) <
         std::tie(b.priority, b.minus_reserved, b.uid_rank);
}

std::vector<Target> find_targets(State& state, const PreemptionQuestion& question) {
  const UndoLog::Mark mark = state.tree.log().mark();
  auto out = state.fair_sharing() ? detail::fair_targets(state, question)
                                  : detail::classical_targets(state, question);
  state.tree.log().revert_to(mark);
  return out;
}

namespace detail {

bool fits_now(State& state, const PreemptionQuestion& question, bool may_borrow) {
  const NodeId node = state.queues[question.queue.index()].node;
  for (const ColumnAmount& r : question.requests) {
    if (!may_borrow && state.tree.borrowing_with(node, r.column, r.amount)) return false;
    if (r.amount > std::max<Amount>(0, state.tree.available(node, r.column))) return false;
  }
  return !question.topologies || question.topologies->topologies.empty() ||
         !find_topologies(state, *question.topologies, false).failure();
}

void fill_back(State& state, const PreemptionQuestion& question, std::vector<Target>& targets,
               bool may_borrow) {
  for (std::size_t i = targets.size() < 2 ? 0 : targets.size() - 1; i-- > 0;) {
    state.add_usage(targets[i].workload);
    if (fits_now(state, question, may_borrow)) {
      targets[i] = targets.back();
      targets.pop_back();
    } else {
      state.remove_usage(targets[i].workload);
    }
  }
}

}  // namespace detail

}  // namespace etiage::quota
