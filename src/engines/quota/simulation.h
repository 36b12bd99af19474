#pragma once
// State, queues, controllers and scheduler of one cluster, step by step.

#include <memory>

#include "engines/quota/controllers.h"

namespace etiage::quota {

/// Whether all workloads are there from the start or come later (Controllers::arrive).
enum class Arrivals { kAllAtOnce, kOneByOne };

class Simulation {
 public:
  /// The objects must outlive it. Everything has been taken in and settled at `now`.
  static Result<Simulation> make(const QueueObjects& objects, const QueueConfiguration& configuration,
                                 const Release& release, Instant now,
                                 Arrivals arrivals = Arrivals::kAllAtOnce);

  const State& state() const { return *state_; }
  State& state() { return *state_; }
  const PendingQueues& queues() const { return *queues_; }
  PendingQueues& queues() { return *queues_; }
  Controllers& controllers() { return *controllers_; }
  const std::vector<FinishedEviction>& evicted_at_setup() const { return evicted_; }

  /// Somebody waits whose ClusterQueue is active.
  bool any_head() const { return queues_->any_active_head(); }
  /// One cycle of the scheduler; `settle` is what happens after it.
  void cycle(Instant now, CycleOutcome& out) { scheduler_->run_cycle(now, out); }
  void settle(Instant now, const CycleOutcome& cycle) { controllers_->settle(now, cycle); }

 private:
  Simulation() = default;
  std::unique_ptr<State> state_;
  std::unique_ptr<PendingQueues> queues_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<Controllers> controllers_;
  std::vector<FinishedEviction> evicted_;
};

}  // namespace etiage::quota
