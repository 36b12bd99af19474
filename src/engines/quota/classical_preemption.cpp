// Preemption without fair sharing (Kueue's classical/): the nearer somebody stands to the quota, the stronger
// the claim.

#include <algorithm>

#include "engines/quota/preemption.h"

namespace etiage::quota::detail {

namespace {

/// Candidates in order, sorted only as far as somebody looks.
class Candidates {
 public:
  Candidates(const State& state, std::vector<CandidateKey> keys, bool by_usage)
      : later_{&state, by_usage}, keys_(std::move(keys)), rest_(keys_.size()) {
    std::make_heap(keys_.begin(), keys_.end(), later_);
  }
  std::size_t size() const { return keys_.size(); }
  const CandidateKey& operator[](std::size_t i) {
    // The sorted ones gather at the end, last first: what pop_heap leaves behind.
    while (keys_.size() - rest_ <= i) {
      std::pop_heap(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(rest_), later_);
      --rest_;
    }
    return keys_[keys_.size() - 1 - i];
  }

 private:
  struct Later {
    const State* state;
    bool by_usage;
    bool operator()(const CandidateKey& a, const CandidateKey& b) const {
      return before(*state, b, a, by_usage);
    }
  };
  Later later_;
  std::vector<CandidateKey> keys_;
  std::size_t rest_;
};

/// Collects who may be preempted, from the preemptor's own queue to the far ends of its tree.
class Collector {
 public:
  /// `only_advantage`: others come into question only where it has a hierarchical advantage over them.
  Collector(const State& state, const PreemptionQuestion& question, bool only_advantage)
      : state_(state),
        q_(question),
        policy_(state.queues[question.queue.index()].spec->preemption),
        only_advantage_(only_advantage) {}

  std::vector<CandidateKey> collect() {
    if (policy_.within_cluster_queue != PreemptionPolicy::kNever) from_queue(q_.queue, {}, false);
    if (policy_.reclaim_within_cohort != PreemptionPolicy::kNever) from_ancestors();
    return std::move(keys_);
  }
  bool any_from_others() const { return others_ > 0; }
  bool any_hierarchical() const { return hierarchical_ > 0; }

 private:
  /// Whether the requests fit into the node's quota; they are lessened by what the node guarantees.
  bool fits_in_quota(NodeId n, std::vector<ColumnAmount>& requests) const {
    bool fits = true;
    for (ColumnAmount& r : requests) {
      if (plus(state_.tree.usage(n, r.column), r.amount) > state_.tree.subtree_quota(n, r.column))
        fits = false;
      r.amount = std::max<Amount>(0, minus(r.amount, state_.tree.local_available(n, r.column)));
    }
    return fits;
  }

  void from_ancestors() {
    const NodeId own = state_.queues[q_.queue.index()].node;
    std::vector<ColumnAmount> rest(q_.requests.begin(), q_.requests.end());
    bool advantage = fits_in_quota(own, rest);
    NodeId below;
    for (NodeId n = state_.tree.parent(own); n.valid(); n = state_.tree.parent(n)) {
      from_subtree(n, n, below, advantage);
      // Once a subtree has room for the requests, everybody outside of it sits on quota that belongs to it.
      advantage = fits_in_quota(n, rest) || advantage;
      below = n;
    }
  }

  void from_subtree(NodeId n, NodeId top, NodeId skip, bool advantage) {
    if (only_advantage_ && !advantage) return;
    for (const NodeId child : state_.tree.child_cohorts(n))
      if (child != skip && !state_.tree.within_nominal(child, q_.contested))
        from_subtree(child, top, skip, advantage);
    for (const NodeId child : state_.tree.child_queues(n)) {
      const QueueId queue = state_.queue_of_node[child.index()];
      if (queue != q_.queue && !state_.tree.within_nominal(child, q_.contested))
        from_queue(queue, top, advantage);
    }
  }

  void from_queue(QueueId queue, NodeId common, bool advantage) {
    const bool same = queue == q_.queue;
    const PreemptionPolicy policy = same ? policy_.within_cluster_queue : policy_.reclaim_within_cohort;
    const std::int64_t priority = state_.workloads[q_.preemptor.index()].priority;
    for (const WorkloadId w : state_.queues[queue.index()].reserving) {
      if (!satisfies(state_, policy, q_.preemptor, w) || !state_.uses_any(w, q_.contested)) continue;
      CandidateKey& key = keys_.emplace_back(make_key(state_, w, same ? 2 : advantage ? 0 : 1));
      key.common_ancestor = common;
      if (same) continue;
      ++others_;
      key.reason = PreemptionReason::kInCohortReclamation;
      if (advantage) {
        ++hierarchical_;
        continue;
      }
      const bool too_high = key.priority >= priority || (policy_.max_priority_threshold &&
                                                         key.priority > *policy_.max_priority_threshold);
      key.only_without_borrowing = !policy_.borrow_within_cohort || too_high;
      if (!key.only_without_borrowing) key.reason = PreemptionReason::kInCohortReclaimWhileBorrowing;
    }
  }

  const State& state_;
  const PreemptionQuestion& q_;
  const ClusterQueuePreemption& policy_;
  bool only_advantage_;
  std::vector<CandidateKey> keys_;
  std::size_t others_ = 0, hierarchical_ = 0;
};

/// Somebody else's workload may go only while its queue, and every cohort below the common one, is above its
/// quota.
bool still_valid(const State& state, const PreemptionQuestion& q, const CandidateKey& key, bool may_borrow) {
  if (key.rank == 2) return true;
  if (may_borrow && key.only_without_borrowing) return false;
  NodeId n = state.queues[state.workloads[key.workload.index()].queue.index()].node;
  if (state.tree.within_nominal(n, q.contested)) return false;
  for (n = state.tree.parent(n); n.valid() && n != key.common_ancestor; n = state.tree.parent(n))
    if (state.tree.within_nominal(n, q.contested)) return false;
  return true;
}

bool under_nominal(const State& state, const PreemptionQuestion& q) {
  const NodeId n = state.queues[q.queue.index()].node;
  return std::all_of(q.contested.begin(), q.contested.end(),
                     [&](Column c) { return state.tree.usage(n, c) < state.tree.nominal(n, c); });
}

}  // namespace

std::vector<Target> classical_targets(State& state, const PreemptionQuestion& question) {
  const bool forbidden = !state.queues[question.queue.index()].spec->preemption.borrow_within_cohort;
  // Who may borrow alone, and must not preempt for that, gets nothing from others it has no advantage over.
  const bool only_to_borrow = forbidden && !under_nominal(state, question);
  Collector collector(state, question, only_to_borrow);
  Candidates candidates(state, collector.collect(), state.admission_fair_sharing());
  if (candidates.size() == 0) return {};
  const bool once = only_to_borrow || !collector.any_from_others();
  const bool borrow_first = once || !forbidden || collector.any_hierarchical();
  std::vector<Target> targets;
  for (const bool may_borrow : {borrow_first, !borrow_first}) {
    const UndoLog::Mark mark = state.tree.log().mark();
    targets.clear();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const CandidateKey& key = candidates[i];
      if (!still_valid(state, question, key, may_borrow)) continue;
      state.remove_usage(key.workload);
      targets.push_back({key.workload, key.reason});
      if (!fits_now(state, question, may_borrow)) continue;
      fill_back(state, question, targets, may_borrow);
      return targets;
    }
    state.tree.log().revert_to(mark);
    if (once) break;
  }
  return {};
}

}  // namespace etiage::quota::detail
