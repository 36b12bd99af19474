#pragma once
// Workloads that wait (Kueue's cache/queue): one heap a ClusterQueue, and those parked because nothing could
// help them yet.

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "engines/quota/state.h"

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
  std::vector<WorkloadId> in_order(QueueId queue) const;
  /// The LocalQueue's usage was taken anew: its workloads find their places again.
  void reorder(LocalQueueId local_queue);
  /// Recomputes what queue order goes by after a change of conditions.
  void refresh_order(WorkloadId w);

 private:
  struct Item {
    std::int64_t priority = 0, time = 0;
    std::uint32_t uid_rank = 0;
    WorkloadId workload;
  };
  struct Queue {
    std::vector<Item> heap;
    std::vector<WorkloadId> parked;
    bool by_usage = false;         ///< admission fair sharing
    WorkloadId in_flight, sticky;  ///< sticky: it preempts, and stays first until it is served
    std::unordered_set<std::uint64_t>
        hopeless;  ///< shapes (with priority) that fit nowhere until something is freed
  };

  bool before(const Queue& q, const Item& a, const Item& b) const;
  bool may_retry(const WorkloadState& w, Instant now) const;
  bool namespace_matches(const WorkloadState& w) const;
  std::uint64_t hash_of(const WorkloadState& w) const;
  void insert(Queue& q, WorkloadId w);
  void erase(Queue& q, std::uint32_t slot);
  void put(Queue& q, std::size_t slot, const Item& item);
  void sift_up(Queue& q, std::size_t slot);
  bool sift_down(Queue& q, std::size_t slot);
  void fix(Queue& q, std::size_t slot);
  void restore_order(Queue& q, QueueId id);
  void park(Queue& q, WorkloadId w);
  void unpark(Queue& q, WorkloadId w);
  void park_all_like(Queue& q, WorkloadId w);
  WorkloadId pop(QueueId queue);

  State& state_;
  std::vector<Queue> queues_;
  std::vector<NodeId> root_of_;
  std::vector<std::vector<QueueId>> queues_of_root_;  ///< by node
  std::set<NodeId> notified_;
};

}  // namespace etiage::quota
