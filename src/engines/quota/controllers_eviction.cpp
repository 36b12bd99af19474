// Who loses quota, and what for: stopped queues, admission checks, pods that never became ready.

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/controllers.h"

namespace etiage::quota {

namespace {

/// `AdmissionCheck in Retry state: "a" (no capacity)`; 0.17 told the names of rejected ones alone.
std::string checks_text(std::vector<AdmissionCheckState> checks, std::string_view state, bool after_017) {
  std::erase_if(checks, [&](const auto& c) { return c.state != state; });
  std::sort(checks.begin(), checks.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::vector<std::string> parts;
  if (!after_017) {
    for (const AdmissionCheckState& c : checks) parts.push_back(c.name);
    return fmt::format("Admission check(s): {}, were rejected", fmt::join(parts, ","));
  }
  for (const AdmissionCheckState& c : checks)
    parts.push_back(c.message.empty() ? fmt::format("\"{}\"", c.name)
                                      : fmt::format("\"{}\" ({})", c.name, c.message));
  return fmt::format("{} in {} state: {}", checks.size() > 1 ? "AdmissionChecks" : "AdmissionCheck", state,
                     fmt::join(parts, "; "));
}

bool any_check(const WorkloadState& w, std::string_view state) {
  return std::any_of(w.checks.begin(), w.checks.end(), [&](const auto& c) { return c.state == state; });
}

}  // namespace

/// The quota is free at once, and the workload waits again where it may.
void Controllers::lose_quota(WorkloadId id, std::string reason, std::string message) {
  WorkloadState& w = state_.workloads[id.index()];
  w.reserved = false;
  if (w.grant) state_.release_quota(id);
  w.admitted = false;
  w.queue = w.local_queue.valid() ? state_.local_queues[w.local_queue.index()].queue : QueueId{};
  set_text(w, std::move(reason), std::move(message));
  notify(w);
  if (!w.requeue_at || *w.requeue_at <= now_) push(id);
}

void Controllers::finish_eviction(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const bool at_once = w.evicted_reason == "Preempted" || w.evicted_reason == "NodeFailures";
  w.requeued = at_once ? WorkloadState::Requeued::kTrue : WorkloadState::Requeued::kFalse;
  w.requeued_reason = w.evicted_reason;
  lose_quota(id, "Pending", w.evicted_message);
}

bool Controllers::evict(WorkloadId id, std::string reason, std::string message) {
  WorkloadState& w = state_.workloads[id.index()];
  w.evicted = true;
  w.evicted_at = now_;
  w.evicted_reason = std::move(reason);
  w.evicted_message = std::move(message);
  for (AdmissionCheckState& c : w.checks) c = {c.name, "Pending", ""};
  if (w.grant) ++state_.queues[w.queue.index()].generation;
  return true;
}

void Controllers::deactivate(WorkloadId id, const std::string& cause, const std::string& because) {
  WorkloadState& w = state_.workloads[id.index()];
  w.active = false;
  w.requeue_at.reset();
  w.requeue_count = 0;
  queues_.remove(id);
  if (!w.evicted) evict(id, "DeactivatedDueTo" + cause, "The workload is deactivated due to " + because);
  notify(w);
}

bool Controllers::evict_for_checks(WorkloadId id) {
  const WorkloadState& w = state_.workloads[id.index()];
  if (w.evicted) return false;
  if (any_check(w, "Rejected")) {
    deactivate(id, "AdmissionCheck", checks_text(w.checks, "Rejected", state_.release.after_017()));
    return true;
  }
  if (!any_check(w, "Retry")) return false;
  return evict(id, "AdmissionCheck",
               state_.release.after_017() ? "Evicted due to " + checks_text(w.checks, "Retry", true)
                                          : "At least one admission check is false");
}

bool Controllers::evict_for_stopped_queue(WorkloadId id) {
  const WorkloadState& w = state_.workloads[id.index()];
  const LocalQueueState* local =
      w.local_queue.valid() ? &state_.local_queues[w.local_queue.index()] : nullptr;
  const bool open = local && local->spec->stop == StopPolicy::kNone;
  const QueueState* queue = open && local->queue.valid() ? &state_.queues[local->queue.index()] : nullptr;
  if (w.admitted) {
    if (w.evicted) return false;
    if (local && local->spec->stop == StopPolicy::kHoldAndDrain)
      return evict(id, "LocalQueueStopped", "The LocalQueue is stopped");
    if (queue && queue->spec->stop == StopPolicy::kHoldAndDrain)
      return evict(id, "ClusterQueueStopped", "The ClusterQueue is stopped");
    return false;
  }
  std::string text;
  if (!local)
    text = fmt::format("LocalQueue {} is terminating or missing", w.spec->queue);
  else if (!open)
    text = fmt::format("LocalQueue {} is stopped", w.spec->queue);
  else if (!queue)
    text = fmt::format("ClusterQueue {} is terminating or missing", local->spec->cluster_queue);
  else if (queue->spec->stop != StopPolicy::kNone)
    text = fmt::format("ClusterQueue {} is stopped", local->spec->cluster_queue);
  if (text.empty()) return false;
  lose_quota(id, "Inadmissible", std::move(text));
  return true;
}

/// waitForPodsReady: what was admitted and did not become ready in time.
bool Controllers::evict_unready(WorkloadId id) {
  WorkloadState& w = state_.workloads[id.index()];
  const auto& wait = state_.configuration.wait_for_pods_ready;
  if (!wait || state_.release.gates.disable_wait_for_pods_ready || w.evicted || !w.admitted) return false;
  const Condition *ready = condition(w, "PodsReady"), *admitted = condition(w, "Admitted");
  if (is_true(ready)) return false;
  std::optional<Instant> since = admitted && admitted->since ? *admitted->since : Instant{w.reserved_at};
  Duration limit = wait->timeout;
  if (ready && ready->reason == "WaitForRecovery") {
    if (!wait->recovery_timeout || !ready->since) return false;
    since = ready->since;
    limit = *wait->recovery_timeout;
  }
  if (now_ - *since < limit) return false;
  if (wait->backoff_limit && w.requeue_count + 1 > *wait->backoff_limit) {
    deactivate(id, "RequeuingLimitExceeded", "exceeding the maximum number of re-queuing retries");
    return true;
  }
  ++w.requeue_count;
  double backoff = wait->backoff_base_seconds;
  for (std::int32_t i = 1; i < w.requeue_count && backoff < wait->backoff_max_seconds; ++i) backoff *= 2;
  w.requeue_at = now_ + Duration::seconds(
                            static_cast<std::int64_t>(std::min<double>(backoff, wait->backoff_max_seconds)));
  return evict(id, "PodsReadyTimeout",
               fmt::format("Exceeded the PodsReady timeout {}/{}", w.spec->meta.ns, w.spec->meta.name));
}

}  // namespace etiage::quota
