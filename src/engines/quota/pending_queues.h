#pragma once
// Workloads that wait (Kueue's cache/queue): who is tried next in each ClusterQueue, who is parked until
// something is freed, and what brings them back.

#include <set>
#include <vector>

#include "engines/quota/waiting.h"

namespace etiage::quota {

/// Why a head comes back after a cycle; it decides whether it is tried again at once.
enum class RequeueReason : std::uint8_t {
  kGeneric,
  kNamespaceMismatch,
  kFailedAfterNomination,
  kPendingPreemption,
  kNoFit,
  kPreemptionNoCandidates,
};

class PendingQueues {
 public:
  explicit PendingQueues(State& state);

  /// A workload that is new or has changed; takes its place by priority, time and uid.
  void push(WorkloadId w, Instant now);
  /// The same when the queues are made: even what waits out a back-off.
  void push_at_start(WorkloadId w);
  /// A head that was not admitted. `pending_flavors`: some flavors were not looked at yet.
  void requeue(WorkloadId w, RequeueReason reason, bool pending_flavors, Instant now);
  /// It was admitted, deactivated or deleted.
  void remove(WorkloadId w);

  bool any_active_head() const;
  /// The first of every active ClusterQueue, in the order of the names; they are in flight until requeued or
  /// removed.
  void pop_heads(std::vector<WorkloadId>& heads);

  /// Something was freed: everything parked in the queue's whole tree of cohorts may be tried again ...
  void notify(QueueId queue) { notified_.insert(root_of_[queue.index()]); }
  /// ... once this is called.
  void reactivate(Instant now);

  /// Those of the queue that wait their turn, first first.
  std::vector<WorkloadId> in_order(QueueId queue) const { return queues_[queue.index()].in_order(); }
  WorkloadState::Place place(WorkloadId w) const;
  /// The LocalQueue's usage was taken anew: its workloads find their places again.
  void reorder(LocalQueueId local_queue);
  /// Recomputes what queue order goes by after a change of conditions.
  void refresh_order(WorkloadId w);

 private:
  bool may_retry(const WorkloadState& w, Instant now) const;
  bool namespace_matches(const WorkloadState& w) const;
  WorkloadId pop(QueueId queue);
  /// Whether those of one class are parked and taken up together.
  bool by_class(QueueId queue) const;

  State& state_;
  std::vector<Waiting> queues_;
  std::vector<NodeId> root_of_;
  std::vector<std::vector<QueueId>> queues_of_root_;  ///< by node
  std::set<NodeId> notified_;
};

}  // namespace etiage::quota
