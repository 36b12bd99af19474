// Preemption under fair sharing (Kueue's preemption/fairsharing): whoever borrows most, by share, gives
// first.

#include <algorithm>
#include <map>
#include <set>

#include "engines/quota/preemption.h"

namespace etiage::quota::detail {

namespace {

using Lists = std::map<QueueId, std::vector<CandidateKey>>;  ///< in order; the next victim last

/// Walks from the root to the child with the highest share until it stands in a ClusterQueue with candidates.
class QueueOrder {
 public:
  QueueOrder(const State& state, QueueId preemptor, const std::vector<CandidateKey>& candidates)
      : state_(state), preemptor_(preemptor), own_(state.queues[preemptor.index()].node) {
    for (NodeId n = state.tree.parent(own_); n.valid(); n = state.tree.parent(n)) path_.insert(n);
    for (auto it = candidates.rbegin(); it != candidates.rend(); ++it)
      lists_[state.workloads[it->workload.index()].queue].push_back(*it);
  }

  /// Not valid: nobody is left.
  QueueId next() {
    if (!state_.tree.parent(own_).valid())
      return !pruned_.contains(own_) && has_candidates(preemptor_) ? preemptor_ : QueueId{};
    const NodeId root = state_.tree.root(own_);
    while (!pruned_.contains(root))
      if (const QueueId found = descend(root); found.valid()) return found;
    return {};
  }
  void drop(QueueId queue) { pruned_.insert(state_.queues[queue.index()].node); }
  bool has_candidates(QueueId queue) const {
    const auto it = lists_.find(queue);
    return it != lists_.end() && !it->second.empty();
  }
  CandidateKey pop(QueueId queue) {
    auto& list = lists_.find(queue)->second;
    const CandidateKey key = list.back();
    list.pop_back();
    return key;
  }
  /// The two nodes just below the lowest common ancestor of the preemptor and the queue.
  std::pair<NodeId, NodeId> almost_common(QueueId queue) const {
    NodeId theirs = state_.queues[queue.index()].node, mine = own_;
    while (!path_.contains(state_.tree.parent(theirs))) theirs = state_.tree.parent(theirs);
    while (state_.tree.parent(mine) != state_.tree.parent(theirs)) mine = state_.tree.parent(mine);
    return {mine, theirs};
  }

 private:
  QueueId descend(NodeId cohort) {
    QueueId best_queue;
    Share queue_share{.ratio = -1};
    for (const NodeId n : state_.tree.child_queues(cohort)) {
      if (pruned_.contains(n)) continue;
      const QueueId queue = state_.queue_of_node[n.index()];
      const Share share = state_.tree.share(n);
      if ((!share.borrowing && n != own_) || !has_candidates(queue)) {
        pruned_.insert(n);
        continue;
      }
      const int order = best_queue.valid() ? compare(share, queue_share) : 1;
      if (order > 0 || (order == 0 && before(state_, key(queue), key(best_queue), false))) best_queue = queue;
      if (order > 0) queue_share = share;
    }
    NodeId best_cohort;
    Share cohort_share{.ratio = -1};
    for (const NodeId n : state_.tree.child_cohorts(cohort)) {
      if (pruned_.contains(n)) continue;
      const Share share = state_.tree.share(n);
      if (!share.borrowing && !path_.contains(n)) {
        pruned_.insert(n);
      } else if (compare(share, cohort_share) >= 0) {
        cohort_share = share;
        best_cohort = n;
      }
    }
    if (!best_queue.valid() && !best_cohort.valid()) {
      pruned_.insert(cohort);
      return {};
    }
    return best_cohort.valid() && compare(cohort_share, queue_share) >= 0 ? descend(best_cohort) : best_queue;
  }

  const CandidateKey& key(QueueId queue) const { return lists_.find(queue)->second.back(); }

  const State& state_;
  QueueId preemptor_;
  NodeId own_;
  std::set<NodeId> path_, pruned_;
  Lists lists_;
};

class FairSearch {
 public:
  FairSearch(State& state, const PreemptionQuestion& question) : state_(state), q_(question) {}

  std::vector<Target> run() {
    std::vector<CandidateKey> candidates = collect();
    if (candidates.empty()) return {};
    const bool by_usage = state_.admission_fair_sharing();
    std::sort(candidates.begin(), candidates.end(),
              [&](const auto& a, const auto& b) { return before(state_, a, b, by_usage); });
    // Shares are those with the preemptor in.
    change_own(1);
    std::vector<FairPreemptionStrategy> strategies = state_.configuration.fair_strategies;
    if (strategies.empty())
      strategies = {FairPreemptionStrategy::kLessThanOrEqualToFinalShare,
                    FairPreemptionStrategy::kLessThanInitialShare};
    std::vector<CandidateKey> rejected;
    bool fits = by_strategy(candidates, strategies[0], rejected);
    if (!fits && strategies.size() > 1) fits = by_initial_share(rejected);
    change_own(-1);
    if (!fits) return {};
    fill_back(state_, q_, targets_, true);
    return std::move(targets_);
  }

 private:
  std::vector<CandidateKey> collect() const {
    const ClusterQueuePreemption& policy = state_.queues[q_.queue.index()].spec->preemption;
    std::vector<CandidateKey> out;
    const auto take = [&](QueueId queue, PreemptionPolicy allowed, std::uint8_t rank) {
      for (const WorkloadId w : state_.queues[queue.index()].reserving)
        if (satisfies(state_, allowed, q_.preemptor, w) && state_.uses_any(w, q_.contested))
          out.push_back(make_key(state_, w, rank));
    };
    if (policy.within_cluster_queue != PreemptionPolicy::kNever)
      take(q_.queue, policy.within_cluster_queue, 1);
    const NodeId own = state_.queues[q_.queue.index()].node;
    if (!state_.tree.parent(own).valid() || policy.reclaim_within_cohort == PreemptionPolicy::kNever)
      return out;
    std::vector<NodeId> open{state_.tree.root(own)};
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      for (const NodeId child : state_.tree.child_queues(n)) {
        const auto borrows = [&](Column c) { return state_.tree.borrowing_with(child, c, 0); };
        if (child != own && std::any_of(q_.contested.begin(), q_.contested.end(), borrows))
          take(state_.queue_of_node[child.index()], policy.reclaim_within_cohort, 0);
      }
      open.insert(open.end(), state_.tree.child_cohorts(n).begin(), state_.tree.child_cohorts(n).end());
    }
    return out;
  }

  void change_own(int sign) {
    const NodeId own = state_.queues[q_.queue.index()].node;
    for (const ColumnAmount& r : q_.requests)
      if (sign > 0)
        state_.tree.add_usage(own, r.column, r.amount);
      else
        state_.tree.remove_usage(own, r.column, r.amount);
  }

  bool fits_without_own() {
    const UndoLog::Mark mark = state_.tree.log().mark();
    change_own(-1);
    const bool fits = fits_now(state_, q_, true);
    state_.tree.log().revert_to(mark);
    return fits;
  }

  bool preempt(const CandidateKey& key, PreemptionReason reason) {
    state_.remove_usage(key.workload);
    targets_.push_back({key.workload, reason});
    return fits_without_own();
  }

  bool within_nominal() const {
    const NodeId own = state_.queues[q_.queue.index()].node;
    return std::none_of(q_.contested.begin(), q_.contested.end(),
                        [&](Column c) { return state_.tree.borrowing_with(own, c, 0); });
  }

  bool by_strategy(const std::vector<CandidateKey>& candidates, FairPreemptionStrategy strategy,
                   std::vector<CandidateKey>& rejected) {
    QueueOrder order(state_, q_.queue, candidates);
    const bool entitled = state_.release.gates.fair_preempt_within_nominal && within_nominal();
    for (QueueId queue = order.next(); queue.valid(); queue = order.next()) {
      if (queue == q_.queue || entitled) {
        const auto reason =
            queue == q_.queue ? PreemptionReason::kInClusterQueue : PreemptionReason::kInCohortReclamation;
        if (preempt(order.pop(queue), reason)) return true;
        continue;
      }
      const auto [mine, theirs] = order.almost_common(queue);
      const Share my_share = state_.tree.share(mine), old_share = state_.tree.share(theirs);
      while (order.has_candidates(queue)) {
        const CandidateKey key = order.pop(queue);
        if (!passes(strategy, my_share, old_share, theirs, key)) {
          rejected.push_back(key);
          continue;
        }
        if (preempt(key, PreemptionReason::kInCohortFairSharing)) return true;
        break;  // shares have changed: perhaps another queue is next
      }
    }
    return false;
  }

  bool passes(FairPreemptionStrategy strategy, const Share& mine, const Share& old, NodeId theirs,
              const CandidateKey& key) {
    if (strategy == FairPreemptionStrategy::kLessThanInitialShare) return compare(mine, old) < 0;
    const UndoLog::Mark mark = state_.tree.log().mark();
    state_.remove_usage(key.workload);
    const Share after = state_.tree.share(theirs);
    state_.tree.log().revert_to(mark);
    return compare(mine, after) <= 0;
  }

  bool by_initial_share(const std::vector<CandidateKey>& rejected) {
    QueueOrder order(state_, q_.queue, rejected);
    for (QueueId queue = order.next(); queue.valid(); queue = order.next()) {
      const auto [mine, theirs] = order.almost_common(queue);
      if (compare(state_.tree.share(mine), state_.tree.share(theirs)) < 0 &&
          preempt(order.pop(queue), PreemptionReason::kInCohortFairSharing))
        return true;
      order.drop(queue);
    }
    return false;
  }

  State& state_;
  const PreemptionQuestion& q_;
  std::vector<Target> targets_;
};

}  // namespace

std::vector<Target> fair_targets(State& state, const PreemptionQuestion& question) {
  return FairSearch(state, question).run();
}

}  // namespace etiage::quota::detail
