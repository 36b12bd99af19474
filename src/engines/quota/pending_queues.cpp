#include "engines/quota/pending_queues.h"

#include <algorithm>

#include "engines/quota/match.h"

namespace etiage::quota {

using Place = WorkloadState::Place;

PendingQueues::PendingQueues(State& state) : state_(state), queues_of_root_(state.tree.size()) {
  for (std::uint32_t i = 0; i < state.queues.size(); ++i) {
    root_of_.push_back(state.tree.root(state.queues[i].node));
    queues_of_root_[root_of_.back().index()].push_back({i});
    queues_.emplace_back(state, state.queues[i].usage_based);
  }
  for (std::uint32_t w = 0; w < state.workloads.size(); ++w) refresh_order({w});
}

void PendingQueues::refresh_order(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const auto& wait = state_.configuration.wait_for_pods_ready;
  w.order_time = w.spec->meta.created ? w.spec->meta.created->ns : 0;
  if (!w.evicted || !w.evicted_at) return;
  const bool by_timeout = w.evicted_reason == "PodsReadyTimeout" && !(wait && wait->requeue_by_creation);
  if (by_timeout || w.evicted_reason == "AdmissionCheck") {
    w.order_time = w.evicted_at->ns;
  } else if (!state_.release.gates.priority_sorting_within_cohort && w.preempted && w.preempted_at &&
             w.preempted_reason == "InCohortReclaimWhileBorrowing") {
    // A moment later than its preemptor.
    w.order_time = w.preempted_at->ns + Duration::millis(1).ns;
  }
}

bool PendingQueues::may_retry(const WorkloadState& w, Instant now) const {
  return w.requeued != WorkloadState::Requeued::kFalse && (!w.requeue_at || now >= *w.requeue_at);
}

bool PendingQueues::namespace_matches(const WorkloadState& w) const {
  const LabelMap* labels = state_.namespace_labels(w.spec->meta.ns);
  const auto& selector = state_.queues[w.queue.index()].spec->namespace_selector;
  return labels && selector && matches(*selector, *labels);
}

bool PendingQueues::by_class(QueueId queue) const {
  return !state_.queues[queue.index()].spec->strict_fifo &&
         state_.release.gates.scheduling_equivalence_hashing;
}

void PendingQueues::push(WorkloadId id, Instant now) {
  WorkloadState& w = state_.workloads[id.index()];
  if (!w.queue.valid() || w.place == Place::kInFlight) return;
  Waiting& q = queues_[w.queue.index()];
  w.last_tried.reset();
  refresh_order(id);
  if (q.place(id) == Place::kHeap) return q.update(id);
  q.erase(id);
  if (!may_retry(w, now) || (by_class(w.queue) && q.hopeless(id))) return q.park(id);
  q.insert(id, true);
}

void PendingQueues::push_at_start(WorkloadId id) {
  const WorkloadState& w = state_.workloads[id.index()];
  const bool backs_off = w.requeued == WorkloadState::Requeued::kFalse || w.requeue_at;
  if (w.queue.valid()) queues_[w.queue.index()].insert(id, !backs_off);
}

void PendingQueues::requeue(WorkloadId id, RequeueReason reason, bool pending_flavors, Instant now) {
  WorkloadState& w = state_.workloads[id.index()];
  Waiting& q = queues_[w.queue.index()];
  const bool strict = state_.queues[w.queue.index()].spec->strict_fifo;
  w.place = Place::kNone;
  if (reason == RequeueReason::kPendingPreemption && !strict) q.sticky = id;
  const bool immediate =
      strict ? reason != RequeueReason::kNamespaceMismatch
             : reason == RequeueReason::kFailedAfterNomination || reason == RequeueReason::kPendingPreemption;
  if (may_retry(w, now) && (immediate || pending_flavors)) return q.insert(id, true);
  const bool hopeless = state_.release.after_017() ? reason == RequeueReason::kNoFit ||
                                                         reason == RequeueReason::kPreemptionNoCandidates
                                                   : !immediate;
  if (hopeless && by_class(w.queue))
    q.park_with_its_like(id);
  else
    q.park(id);
}

void PendingQueues::remove(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  if (!w.queue.valid()) return;
  Waiting& q = queues_[w.queue.index()];
  q.erase(id);
  if (q.sticky == id) q.sticky = {};
  w.place = Place::kNone;
}

Place PendingQueues::place(WorkloadId id) const {
  const WorkloadState& w = state_.workloads[id.index()];
  return w.queue.valid() ? queues_[w.queue.index()].place(id) : w.place;
}

bool PendingQueues::any_active_head() const {
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (state_.queues[i].active && !queues_[i].empty()) return true;
  return false;
}

void PendingQueues::reorder(LocalQueueId id) {
  const LocalQueueState& local = state_.local_queues[id.index()];
  Waiting& q = queues_[local.queue.index()];
  for (const WorkloadId w : q.members())
    if (state_.workloads[w.index()].spec->queue == local.spec->meta.name) q.update(w);
}

WorkloadId PendingQueues::pop(QueueId queue) {
  // Usage moves under the heap; Kueue puts it in order again only while some penalty of an admission is
  // pending.
  const auto pending = [&](const LocalQueueState& local) {
    return local.queue == queue && std::any_of(local.penalty.begin(), local.penalty.end(),
                                               [](const auto& r) { return r.amount != 0; });
  };
  Waiting& q = queues_[queue.index()];
  if (state_.queues[queue.index()].usage_based &&
      std::any_of(state_.local_queues.begin(), state_.local_queues.end(), pending))
    q.restore_order();
  const WorkloadId id = q.pop();
  state_.workloads[id.index()].place = Place::kInFlight;
  return id;
}

void PendingQueues::pop_heads(std::vector<WorkloadId>& heads) {
  heads.clear();
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (state_.queues[i].active && !queues_[i].empty()) heads.push_back(pop({static_cast<std::uint32_t>(i)}));
}

void PendingQueues::reactivate(Instant now) {
  // Neighbours mostly share their namespace and their queue.
  const std::string* ns = nullptr;
  QueueId queue_of_ns;
  bool takes_namespace = false;
  const auto may_return = [&](const WorkloadState& w) {
    if (!ns || *ns != w.spec->meta.ns || queue_of_ns != w.queue) {
      ns = &w.spec->meta.ns;
      queue_of_ns = w.queue;
      takes_namespace = namespace_matches(w);
    }
    return takes_namespace && may_retry(w, now);
  };
  for (const NodeId root : notified_)
    for (const QueueId queue : queues_of_root_[root.index()]) queues_[queue.index()].reactivate(may_return);
  notified_.clear();
}

}  // namespace etiage::quota
