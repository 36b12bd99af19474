#include "engines/quota/local_usage.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace etiage::quota {

namespace {

using Amounts = std::vector<ResourceAmount>;  // thousandths, sorted by resource

void add(Amounts& list, ResourceId resource, Amount amount) {
  const auto it = std::lower_bound(list.begin(), list.end(), resource,
                                   [](const auto& r, ResourceId id) { return r.resource < id; });
  if (it != list.end() && it->resource == resource)
    it->amount = plus(it->amount, amount);
  else
    list.insert(it, {resource, amount});
}

void add(Amounts& list, const Amounts& more) {
  for (const ResourceAmount& r : more) add(list, r.resource, r.amount);
}

/// Cut to whole thousandths, as Kueue does.
Amounts scaled(const Amounts& list, double factor) {
  Amounts out = list;
  for (ResourceAmount& r : out) r.amount = static_cast<Amount>(static_cast<double>(r.amount) * factor);
  return out;
}

Amount thousandths(const State& state, ResourceId resource, Amount amount) {
  return state.resources[resource] == "cpu" ? amount : times(amount, 1000);
}

Amounts admitted_thousandths(const State& state, const LocalQueueState& queue) {
  Amounts out;
  for (const ResourceAmount& r : queue.admitted)
    add(out, r.resource, thousandths(state, r.resource, r.amount));
  return out;
}

Amounts decayed(const State& state, const LocalQueueState& queue, Instant now) {
  const double alpha =
      forgotten(now - queue.last_update.value_or(now), state.configuration.admission_fair_sharing->half_life);
  Amounts out = scaled(queue.consumed, 1 - alpha);
  add(out, scaled(admitted_thousandths(state, queue), alpha));
  return out;
}

double rate(const State& state) {
  const AdmissionFairSharing& c = *state.configuration.admission_fair_sharing;
  return forgotten(c.sampling_interval, c.half_life);
}

}  // namespace

double forgotten(Duration span, Duration half_life) {
  return half_life.ns == 0 ? 0.0 : 1.0 - std::pow(0.5, span.as_seconds() / half_life.as_seconds());
}

double local_queue_usage(const State& state, LocalQueueId id) {
  const LocalQueueState& queue = state.local_queues[id.index()];
  Amounts all = queue.consumed;
  add(all, queue.penalty);
  const auto& weights = state.configuration.admission_fair_sharing->resource_weights;
  double sum = 0;
  for (const ResourceAmount& r : all) {
    const auto weight = weights.find(state.resources[r.resource]);
    sum += (weight == weights.end() ? 1.0 : weight->second) * (static_cast<double>(r.amount) * 1e-3);
  }
  // 0.19.1 mended what the 0.19.0 that answers were recorded of divides nothing by.
  if (queue.weight <= 0 && state.release.minor > 19) return std::numeric_limits<double>::infinity();
  return sum / queue.weight;
}

int order_of_usage(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return static_cast<int>(std::isnan(b)) - static_cast<int>(std::isnan(a));
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare_usage(const State& state, WorkloadId a, WorkloadId b) {
  const LocalQueueId x = state.workloads[a.index()].local_queue, y = state.workloads[b.index()].local_queue;
  if (x == y || !x.valid() || !y.valid()) return 0;
  return order_of_usage(local_queue_usage(state, x), local_queue_usage(state, y));
}

void note_local_usage(State& state) {
  for (QueueState& queue : state.queues) {
    if (!queue.usage_based) continue;
    for (const WorkloadId id : queue.reserving) {
      WorkloadState& w = state.workloads[id.index()];
      w.has_local_queue_usage = w.local_queue.valid();
      if (w.has_local_queue_usage) w.local_queue_usage = local_queue_usage(state, w.local_queue);
    }
  }
}

void push_penalty(State& state, WorkloadId id) {
  const WorkloadState& w = state.workloads[id.index()];
  if (!w.local_queue.valid()) return;
  const QueueState& queue = state.queues[w.queue.index()];
  const bool only_declared =
      state.configuration.ignore_undeclared && state.release.gates.quota_check_strategy;
  Amounts requests;
  for (const PodSetShape& p : state.shape_of(id).pod_sets) {
    for (const ResourceAmount& r : p.per_pod)
      if (!only_declared || queue.group_of(r.resource) >= 0)
        add(requests, r.resource, thousandths(state, r.resource, times(r.amount, p.count)));
    if (queue.pods_group >= 0 && !state.release.after_017())
      add(requests, state.pods, thousandths(state, state.pods, p.count));
  }
  LocalQueueState& local = state.local_queues[w.local_queue.index()];
  add(local.penalty, scaled(requests, rate(state)));
  local.penalty_pending = true;
}

void settle_penalty(State& state, WorkloadId id, Instant now) {
  const WorkloadState& w = state.workloads[id.index()];
  // 0.17.0 never hands the configuration to the controller that would do this.
  if (!state.release.after_017() || !w.admitted || !w.local_queue.valid() ||
      !state.queues[w.queue.index()].spec->usage_based_admission)
    return;
  LocalQueueState& local = state.local_queues[w.local_queue.index()];
  Amounts held;
  for (const Assigned& a : w.grant->resources)
    add(held, a.resource, thousandths(state, a.resource, a.amount));
  const Amounts penalty = scaled(held, rate(state));
  local.consumed = decayed(state, local, now);
  add(local.consumed, penalty);
  local.last_update = now;
  for (const ResourceAmount& r : penalty) add(local.penalty, r.resource, -r.amount);
  if (std::all_of(local.penalty.begin(), local.penalty.end(), [](const auto& r) { return r.amount == 0; })) {
    local.penalty.clear();
    local.penalty_pending = false;
  }
}

void sample_local_queues(State& state, Instant now, const std::function<void(LocalQueueId)>& sampled) {
  const AdmissionFairSharing& c = *state.configuration.admission_fair_sharing;
  for (std::uint32_t i = 0; i < state.local_queues.size(); ++i) {
    LocalQueueState& queue = state.local_queues[i];
    if (queue.spec->stop != StopPolicy::kNone || !queue.queue.valid() ||
        !state.queues[queue.queue.index()].active)
      continue;
    const bool known = queue.last_update.has_value();
    if (!known) {
      // The start: 0.17 takes what is in use now, later releases what was persisted.
      queue.consumed.clear();
      if (!state.release.after_017())
        queue.consumed = admitted_thousandths(state, queue);
      else if (queue.spec->consumed)
        for (const auto& [name, quantity] : *queue.spec->consumed)
          if (const ResourceId r = state.resources.find(name); r.valid())
            add(queue.consumed, r, quantity.milli_value());
      queue.last_update = now;
    }
    if (known && now - *queue.last_update < c.sampling_interval && !queue.penalty_pending) continue;
    if (c.half_life.ns == 0)
      queue.consumed.clear();
    else
      queue.consumed = decayed(state, queue, now);
    queue.last_update = now;
    sampled({i});
  }
}

}  // namespace etiage::quota
