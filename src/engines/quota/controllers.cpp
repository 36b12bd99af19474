#include "engines/quota/controllers.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/checks.h"
#include "engines/quota/local_usage.h"

namespace etiage::quota {

namespace {

constexpr int kMostRounds = 10;

}  // namespace

const Condition* condition(const WorkloadState& w, std::string_view type) {
  for (const Condition& c : w.spec->conditions)
    if (c.type == type) return &c;
  return nullptr;
}

bool admissible(const WorkloadState& w) {
  if (w.gated || w.finished || !w.active || w.reserved || w.status_reason == "OnHold") return false;
  return !is_true(condition(w, "WaitingForReplacementPods"));
}

const LocalQueueState* Controllers::open_queue(const WorkloadState& w) const {
  if (!w.local_queue.valid()) return nullptr;
  const LocalQueueState& q = state_.local_queues[w.local_queue.index()];
  return q.spec->stop == StopPolicy::kNone ? &q : nullptr;
}

void Controllers::push(WorkloadId id) {
  const WorkloadState& w = state_.workloads[id.index()];
  if (admissible(w) && open_queue(w)) queues_.push(id, now_);
}

void Controllers::notify(const WorkloadState& w) {
  const LocalQueueState* q = open_queue(w);
  if (q && q->queue.valid()) queues_.notify(q->queue);
}

std::vector<FinishedEviction> Controllers::set_up(Instant now) {
  now_ = now;
  std::vector<WorkloadId> all;
  for (std::uint32_t w = 0; w < state_.workloads.size(); ++w) all.push_back({w});
  // As Kueue takes in one LocalQueue after the other: nobody looks at back-offs yet.
  std::vector<WorkloadId> arrivals;
  for (const WorkloadId id : all)
    if (const WorkloadState& w = state_.workloads[id.index()]; admissible(w) && open_queue(w))
      arrivals.push_back(id);
  std::stable_sort(arrivals.begin(), arrivals.end(), [&](WorkloadId a, WorkloadId b) {
    return state_.workloads[a.index()].local_queue < state_.workloads[b.index()].local_queue;
  });
  for (const WorkloadId id : arrivals) queues_.push_at_start(id);
  for (std::uint32_t q = 0; q < state_.queues.size(); ++q) queues_.notify({q});
  return run(std::move(all));
}

void Controllers::arrive(WorkloadId id, Instant now) {
  now_ = now;
  push(id);
  while (reconcile(id)) {
  }
}

void Controllers::finish(WorkloadId id, Instant now) {
  now_ = now;
  WorkloadState& w = state_.workloads[id.index()];
  w.finished = true;
  queues_.remove(id);
  if (w.grant) state_.release_quota(id);
  w.reserved = w.admitted = false;
  notify(w);
}

std::vector<FinishedEviction> Controllers::settle(Instant now, const CycleOutcome& cycle) {
  now_ = now;
  std::vector<WorkloadId> changed = cycle.admitted;
  for (const IssuedPreemption& p : cycle.preempted) changed.push_back(p.workload);
  changed.insert(changed.end(), cycle.rewritten.begin(), cycle.rewritten.end());
  if (state_.admission_fair_sharing())
    for (const WorkloadId id : cycle.admitted) settle_penalty(state_, id, now);
  return run(std::move(changed));
}

std::vector<FinishedEviction> Controllers::run(std::vector<WorkloadId> changed) {
  std::vector<FinishedEviction> out;
  for (int round = 0; round < kMostRounds && !changed.empty(); ++round) {
    const std::size_t first = out.size();
    for (const WorkloadId id : changed) {
      const WorkloadState& w = state_.workloads[id.index()];
      if (!w.evicted || !w.reserved) continue;
      out.push_back({id, w.evicted_reason});
      finish_eviction(id);
    }
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](const auto& a, const auto& b) {
      return state_.workloads[a.workload.index()].spec->meta.name <
             state_.workloads[b.workload.index()].spec->meta.name;
    });
    std::erase_if(changed, [&](WorkloadId id) { return !reconcile(id); });
  }
  if (state_.admission_fair_sharing())
    sample_local_queues(state_, now_, [&](LocalQueueId q) { queues_.reorder(q); });
  queues_.reactivate(now_);
  return out;
}

bool Controllers::set_text(WorkloadState& w, std::string reason, std::string message) {
  if (w.status && w.status_reason == reason && *w.status == StatusText{.plain = message}) return false;
  w.status_reason = std::move(reason);
  w.status = std::make_unique<StatusText>();
  w.status->plain = std::move(message);
  w.last_tried.reset();
  return true;
}

void Controllers::restart(WorkloadId id, std::string reason) {
  WorkloadState& w = state_.workloads[id.index()];
  w.requeued = WorkloadState::Requeued::kTrue;
  w.requeued_reason = std::move(reason);
  push(id);
}

bool Controllers::reconcile(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  if (w.finished) return false;
  if (!w.active) return reconcile_activity(id);
  if (is_true(condition(w, "DeactivationTarget"))) {
    const Condition& target = *condition(w, "DeactivationTarget");
    deactivate(id, target.reason, target.message);
    return true;
  }
  bool waits = false;
  if (wait_or_end_backoff(id, waits)) return true;
  if (waits) return false;
  if (open_queue(w) && w.requeued == WorkloadState::Requeued::kFalse &&
      w.requeued_reason == "LocalQueueStopped") {
    restart(id, "LocalQueueRestarted");
    return true;
  }
  if (state_.release.gates.admission_gated_by && reconcile_gate(id)) return true;
  const LocalQueueState* open = open_queue(w);
  if (open && open->queue.valid()) {
    const QueueState& queue = state_.queues[open->queue.index()];
    if (w.requeued == WorkloadState::Requeued::kFalse && w.requeued_reason == "ClusterQueueStopped" &&
        queue.spec->stop == StopPolicy::kNone) {
      restart(id, "ClusterQueueRestarted");
      return true;
    }
    if (sync_checks(w)) {
      if (!w.reserved) push(id);
      return true;
    }
  }
  if (!w.reserved && !w.gated)
    if (std::string blocker = queue_blocker(w); !blocker.empty())
      return set_text(w, "Inadmissible", std::move(blocker));
  if (!w.admitted && sync_admitted(id)) return true;
  if (!w.reserved) return false;
  return evict_for_checks(id) || evict_for_stopped_queue(id) || evict_unready(id);
}

/// Of a workload that was deactivated.
bool Controllers::reconcile_activity(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const bool changes = !w.evicted || w.requeue_at || w.requeue_count > 0;
  w.requeue_at.reset();
  w.requeue_count = 0;
  queues_.remove(id);
  if (!w.evicted) {
    const Condition* target = condition(w, "DeactivationTarget");
    evict(id, target ? "DeactivatedDueTo" + target->reason : "Deactivated",
          target ? "The workload is deactivated due to " + target->message : "The workload is deactivated");
    notify(w);
    if (w.grant) state_.release_quota(id);
  }
  if (changes) return true;
  std::string blocker = w.reserved ? "" : queue_blocker(w);
  return !blocker.empty() && set_text(w, "Inadmissible", std::move(blocker));
}

/// True: something changed. `waits`: nothing else is looked at before the back-off is over.
bool Controllers::wait_or_end_backoff(WorkloadId id, bool& waits) {
  WorkloadState& w = state_.workloads[id.index()];
  if (w.requeue_at) {
    waits = *w.requeue_at > now_;
    if (waits) return false;
    if (!w.reserved) {
      w.requeue_at.reset();
      push(id);
      return true;
    }
  }
  if (w.requeued != WorkloadState::Requeued::kFalse) return false;
  if (w.requeued_reason == "Deactivated") {
    restart(id, "Reactivated");
    return true;
  }
  if (w.requeued_reason == "PodsReadyTimeout" || w.requeued_reason == "AdmissionCheck") {
    w.requeue_at.reset();
    restart(id, "BackoffFinished");
    return true;
  }
  return false;
}

bool Controllers::reconcile_gate(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const bool told = w.status_reason == "AdmissionGated";
  if (w.gated == told) return false;
  const std::string text = w.gated
                               ? fmt::format("Admission is gated by: {}",
                                             w.spec->meta.annotations.at("kueue.x-k8s.io/admission-gated-by"))
                               : "AdmissionGatedBy cleared, waiting for quota reservation";
  const char* reason = w.gated ? "AdmissionGated" : "Pending";
  if (w.reserved) {
    lose_quota(id, reason, text);
    return true;
  }
  set_text(w, reason, text);
  push(id);
  return true;
}

/// The checks that apply, each pending until somebody answers.
bool Controllers::sync_checks(WorkloadState& w) {
  const QueueState& queue = state_.queues[open_queue(w)->queue.index()];
  std::vector<AdmissionCheckState> checks;
  bool changed = false;
  for (const QueueCheck& check : queue.checks) {
    if (!applies(check, queue, w.grant.get(), state_.release)) continue;
    const auto known =
        std::find_if(w.checks.begin(), w.checks.end(), [&](const auto& c) { return c.name == check.name; });
    changed |= known == w.checks.end();
    checks.push_back(known == w.checks.end() ? AdmissionCheckState{check.name, "Pending", ""} : *known);
  }
  if (!changed && checks.size() == w.checks.size()) return false;
  w.checks = std::move(checks);
  return true;
}

bool Controllers::sync_admitted(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const auto ready = [](const AdmissionCheckState& c) { return c.state == "Ready"; };
  if (!w.reserved || !w.grant || w.grant->topology_delayed ||
      !std::all_of(w.checks.begin(), w.checks.end(), ready))
    return false;
  state_.mark_admitted(id);
  if (state_.admission_fair_sharing()) settle_penalty(state_, id, now_);
  return true;
}

std::string Controllers::queue_blocker(const WorkloadState& w) const {
  if (!w.local_queue.valid()) return fmt::format("LocalQueue {} doesn't exist", w.spec->queue);
  const LocalQueueState& local = state_.local_queues[w.local_queue.index()];
  if (local.spec->stop != StopPolicy::kNone) return fmt::format("LocalQueue {} is inactive", w.spec->queue);
  if (!local.queue.valid()) return fmt::format("ClusterQueue {} doesn't exist", local.spec->cluster_queue);
  if (!state_.queues[local.queue.index()].active)
    return fmt::format("ClusterQueue {} is inactive", local.spec->cluster_queue);
  return "";
}

}  // namespace etiage::quota
