#include "engines/quota/pending_queues.h"

#include <algorithm>
#include <tuple>

#include "engines/quota/local_usage.h"
#include "engines/quota/match.h"

namespace etiage::quota {

using Place = WorkloadState::Place;

PendingQueues::PendingQueues(State& state)
    : state_(state), queues_(state.queues.size()), queues_of_root_(state.tree.size()) {
  for (std::uint32_t i = 0; i < state.queues.size(); ++i) {
    root_of_.push_back(state.tree.root(state.queues[i].node));
    queues_of_root_[root_of_.back().index()].push_back({i});
    queues_[i].by_usage = state.queues[i].usage_based;
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

bool PendingQueues::before(const Queue& q, const Item& a, const Item& b) const {
  if (q.by_usage)
    if (const int order = compare_usage(state_, a.workload, b.workload); order != 0) return order < 0;
  if (q.sticky.valid() && (a.workload == q.sticky) != (b.workload == q.sticky)) return a.workload == q.sticky;
  return std::tuple(-a.priority, a.time, a.uid_rank) < std::tuple(-b.priority, b.time, b.uid_rank);
}

void PendingQueues::put(Queue& q, std::size_t slot, const Item& item) {
  q.heap[slot] = item;
  state_.workloads[item.workload.index()].slot = static_cast<std::uint32_t>(slot);
}

void PendingQueues::sift_up(Queue& q, std::size_t slot) {
  const Item item = q.heap[slot];
  for (; slot > 0 && before(q, item, q.heap[(slot - 1) / 2]); slot = (slot - 1) / 2)
    put(q, slot, q.heap[(slot - 1) / 2]);
  put(q, slot, item);
}

/// Whether the item had to move.
bool PendingQueues::sift_down(Queue& q, std::size_t slot) {
  const std::size_t start = slot;
  const Item item = q.heap[slot];
  while (true) {
    std::size_t child = 2 * slot + 1;
    if (child >= q.heap.size()) break;
    if (child + 1 < q.heap.size() && before(q, q.heap[child + 1], q.heap[child])) ++child;
    if (!before(q, q.heap[child], item)) break;
    put(q, slot, q.heap[child]);
    slot = child;
  }
  put(q, slot, item);
  return slot != start;
}

void PendingQueues::fix(Queue& q, std::size_t slot) {
  if (!sift_down(q, slot)) sift_up(q, slot);
}

void PendingQueues::insert(Queue& q, WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  w.place = Place::kHeap;
  q.heap.push_back({w.priority, w.order_time, w.uid_rank, id});
  sift_up(q, q.heap.size() - 1);
}

void PendingQueues::erase(Queue& q, std::uint32_t slot) {
  state_.workloads[q.heap[slot].workload.index()].place = Place::kNone;
  const Item last = q.heap.back();
  q.heap.pop_back();
  if (slot == q.heap.size()) return;
  put(q, slot, last);
  fix(q, slot);
}

void PendingQueues::park(Queue& q, WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  w.place = Place::kParked;
  w.slot = static_cast<std::uint32_t>(q.parked.size());
  q.parked.push_back(id);
}

void PendingQueues::unpark(Queue& q, WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const WorkloadId last = q.parked.back();
  q.parked[w.slot] = last;
  state_.workloads[last.index()].slot = w.slot;
  q.parked.pop_back();
  w.place = Place::kNone;
}

bool PendingQueues::may_retry(const WorkloadState& w, Instant now) const {
  return w.requeued != WorkloadState::Requeued::kFalse && (!w.requeue_at || now >= *w.requeue_at);
}

bool PendingQueues::namespace_matches(const WorkloadState& w) const {
  const LabelMap* labels = state_.namespace_labels(w.spec->meta.ns);
  const auto& selector = state_.queues[w.queue.index()].spec->namespace_selector;
  return labels && selector && matches(*selector, *labels);
}

/// Equal shape and priority: the same answer to the same question.
std::uint64_t PendingQueues::hash_of(const WorkloadState& w) const {
  return (std::uint64_t{w.shape.value} << 32) | static_cast<std::uint32_t>(w.priority);
}

void PendingQueues::push(WorkloadId id, Instant now) {
  WorkloadState& w = state_.workloads[id.index()];
  if (!w.queue.valid()) return;
  Queue& q = queues_[w.queue.index()];
  if (w.place == Place::kInFlight) return;
  w.last_tried.reset();
  refresh_order(id);
  if (w.place == Place::kParked) unpark(q, id);
  if (w.place == Place::kHeap) {
    q.heap[w.slot] = {w.priority, w.order_time, w.uid_rank, id};
    return fix(q, w.slot);
  }
  if (!may_retry(w, now)) return park(q, id);
  if (!state_.queues[w.queue.index()].spec->strict_fifo &&
      state_.release.gates.scheduling_equivalence_hashing && q.hopeless.contains(hash_of(w)))
    return park(q, id);
  insert(q, id);
}

void PendingQueues::push_at_start(WorkloadId id) {
  const WorkloadState& w = state_.workloads[id.index()];
  if (w.queue.valid()) insert(queues_[w.queue.index()], id);
}

void PendingQueues::requeue(WorkloadId id, RequeueReason reason, bool pending_flavors, Instant now) {
  WorkloadState& w = state_.workloads[id.index()];
  Queue& q = queues_[w.queue.index()];
  const bool strict = state_.queues[w.queue.index()].spec->strict_fifo;
  if (q.in_flight == id) q.in_flight = {};
  w.place = Place::kNone;
  if (reason == RequeueReason::kPendingPreemption && !strict) q.sticky = id;
  const bool immediate =
      strict ? reason != RequeueReason::kNamespaceMismatch
             : reason == RequeueReason::kFailedAfterNomination || reason == RequeueReason::kPendingPreemption;
  if (may_retry(w, now) && (immediate || pending_flavors)) return insert(q, id);
  park(q, id);
  const bool hopeless = state_.release.after_017() ? reason == RequeueReason::kNoFit ||
                                                         reason == RequeueReason::kPreemptionNoCandidates
                                                   : !immediate;
  if (hopeless && !strict && state_.release.gates.scheduling_equivalence_hashing) park_all_like(q, id);
}

void PendingQueues::park_all_like(Queue& q, WorkloadId id) {
  const std::uint64_t hash = hash_of(state_.workloads[id.index()]);
  q.hopeless.insert(hash);
  std::vector<WorkloadId> same;
  for (const Item& item : q.heap)
    if (hash_of(state_.workloads[item.workload.index()]) == hash) same.push_back(item.workload);
  for (const WorkloadId w : same) {
    erase(q, state_.workloads[w.index()].slot);
    park(q, w);
  }
}

void PendingQueues::remove(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  if (!w.queue.valid()) return;
  Queue& q = queues_[w.queue.index()];
  if (w.place == Place::kHeap) erase(q, w.slot);
  if (w.place == Place::kParked) unpark(q, id);
  if (q.in_flight == id) q.in_flight = {};
  if (q.sticky == id) q.sticky = {};
  w.place = Place::kNone;
}

bool PendingQueues::any_active_head() const {
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (state_.queues[i].active && !queues_[i].heap.empty()) return true;
  return false;
}

/// Usage moves under the heap; Kueue puts it in order again only while some penalty of an admission is
/// pending.
void PendingQueues::restore_order(Queue& q, QueueId id) {
  const auto pending = [&](const LocalQueueState& local) {
    return local.queue == id && std::any_of(local.penalty.begin(), local.penalty.end(),
                                            [](const auto& r) { return r.amount != 0; });
  };
  if (std::none_of(state_.local_queues.begin(), state_.local_queues.end(), pending)) return;
  for (std::size_t slot = q.heap.size() / 2; slot-- > 0;) sift_down(q, slot);
}

void PendingQueues::reorder(LocalQueueId id) {
  const LocalQueueState& local = state_.local_queues[id.index()];
  Queue& q = queues_[local.queue.index()];
  std::vector<WorkloadId> own;
  for (const Item& item : q.heap)
    if (state_.workloads[item.workload.index()].spec->queue == local.spec->meta.name)
      own.push_back(item.workload);
  for (const WorkloadId w : own) fix(q, state_.workloads[w.index()].slot);
}

WorkloadId PendingQueues::pop(QueueId queue) {
  Queue& q = queues_[queue.index()];
  if (q.by_usage) restore_order(q, queue);
  const WorkloadId id = q.heap[0].workload;
  erase(q, 0);
  state_.workloads[id.index()].place = Place::kInFlight;
  q.in_flight = id;
  return id;
}

void PendingQueues::pop_heads(std::vector<WorkloadId>& heads) {
  heads.clear();
  for (std::size_t i = 0; i < queues_.size(); ++i)
    if (state_.queues[i].active && !queues_[i].heap.empty())
      heads.push_back(pop({static_cast<std::uint32_t>(i)}));
}

void PendingQueues::reactivate(Instant now) {
  for (const NodeId root : notified_)
    for (const QueueId queue : queues_of_root_[root.index()]) {
      Queue& q = queues_[queue.index()];
      q.hopeless.clear();
      std::vector<WorkloadId> parked;
      parked.swap(q.parked);
      const std::size_t waiting = q.heap.size();
      // Neighbours mostly share their namespace.
      const std::string* ns = nullptr;
      bool matches_namespace = false;
      for (const WorkloadId id : parked) {
        WorkloadState& w = state_.workloads[id.index()];
        if (!ns || *ns != w.spec->meta.ns) {
          ns = &w.spec->meta.ns;
          matches_namespace = namespace_matches(w);
        }
        if (!matches_namespace || !may_retry(w, now)) {
          park(q, id);
          continue;
        }
        w.place = Place::kHeap;
        q.heap.push_back({w.priority, w.order_time, w.uid_rank, id});
        w.slot = static_cast<std::uint32_t>(q.heap.size() - 1);
        if (q.by_usage) sift_up(q, w.slot);
      }
      if (q.by_usage || q.heap.size() == waiting) continue;
      // The order is total: however the heap is built, it is emptied in the same order.
      if (q.heap.size() - waiting > waiting / 4)
        for (std::size_t slot = q.heap.size() / 2; slot-- > 0;) sift_down(q, slot);
      else
        for (std::size_t slot = waiting; slot < q.heap.size(); ++slot) sift_up(q, slot);
    }
  notified_.clear();
}

std::vector<WorkloadId> PendingQueues::in_order(QueueId queue) const {
  const Queue& q = queues_[queue.index()];
  std::vector<Item> items = q.heap;
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return before(q, a, b); });
  std::vector<WorkloadId> out;
  for (const Item& item : items) out.push_back(item.workload);
  return out;
}

}  // namespace etiage::quota
