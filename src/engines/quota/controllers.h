#pragma once
// What Kueue's other controllers do between two cycles: the workload controller (evictions, admission checks,
// stopped queues, back-off), the job controller as far as it gives quota back, the LocalQueue controller, and
// the batched retry.

#include <string>
#include <vector>

#include "engines/quota/scheduler.h"

namespace etiage::quota {

struct FinishedEviction {
  WorkloadId workload;
  std::string reason;
};

class Controllers {
 public:
  Controllers(State& state, PendingQueues& queues) : state_(state), queues_(queues) {}

  /// Everything is new: what may wait is queued, what must not hold quota loses it.
  std::vector<FinishedEviction> set_up(Instant now);
  /// The same, but nobody waits yet: workloads come by `arrive`.
  void set_up_empty(Instant now) { now_ = now; }
  void arrive(WorkloadId id, Instant now);
  /// It is done and gives back what it held; `retry` lets the others know.
  void finish(WorkloadId id, Instant now);
  void retry(Instant now) { queues_.reactivate(now); }
  /// After a cycle, until nothing moves.
  std::vector<FinishedEviction> settle(Instant now, const CycleOutcome& cycle);

 private:
  std::vector<FinishedEviction> run(std::vector<WorkloadId> changed);
  void finish_eviction(WorkloadId id);
  /// One pass of the workload controller; true: it changed something and must look again.
  bool reconcile(WorkloadId id);
  bool reconcile_activity(WorkloadId id);
  bool wait_or_end_backoff(WorkloadId id, bool& waits);
  bool reconcile_gate(WorkloadId id);
  bool sync_checks(WorkloadState& w);
  bool sync_admitted(WorkloadId id);
  bool evict_for_checks(WorkloadId id);
  bool evict_for_stopped_queue(WorkloadId id);
  bool evict_unready(WorkloadId id);
  std::string queue_blocker(const WorkloadState& w) const;
  bool evict(WorkloadId id, std::string reason, std::string message);
  void lose_quota(WorkloadId id, std::string reason, std::string message);
  bool set_text(WorkloadState& w, std::string reason, std::string message);
  void restart(WorkloadId id, std::string reason);
  void deactivate(WorkloadId id, const std::string& cause, const std::string& because);
  void push(WorkloadId id);
  /// The LocalQueue, where it exists and is not stopped.
  const LocalQueueState* open_queue(const WorkloadState& w) const;
  void notify(const WorkloadState& w);

  State& state_;
  PendingQueues& queues_;
  Instant now_;
};

/// The condition of the workload's own status, or null.
const Condition* condition(const WorkloadState& w, std::string_view type);
inline bool is_true(const Condition* c) {
  return c && c->status == "True";
}
/// Whether Kueue would put the workload into a queue at all.
bool admissible(const WorkloadState& w);

}  // namespace etiage::quota
