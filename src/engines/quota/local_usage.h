#pragma once
// Admission fair sharing: what LocalQueues have used lately decides whose workloads come first.

#include <functional>

#include "engines/quota/state.h"

namespace etiage::quota {

/// How much of the past counts no more after a span: alpha of Kueue's exponential decay.
double forgotten(Duration span, Duration half_life);

/// Weighted usage of a LocalQueue, pending penalties included.
double local_queue_usage(const State& state, LocalQueueId queue);
/// -1, 0, 1. Usage is not a number where an unused LocalQueue of weight 0 divides nothing by nothing; that is
/// less than any number, so that victims are taken there last.
int order_of_usage(double a, double b);
/// Of the workloads' LocalQueues: -1 where `a` comes first.
int compare_usage(const State& state, WorkloadId a, WorkloadId b);

/// Notes the current usage on every workload that holds quota, for the order of candidates.
void note_local_usage(State& state);
/// An admission costs its LocalQueue at once.
void push_penalty(State& state, WorkloadId w);
/// The workload counts as admitted: since 0.18 its penalty becomes usage.
void settle_penalty(State& state, WorkloadId w, Instant now);
/// One pass of the LocalQueue controller: usage decays where the sampling interval is over or a penalty is
/// pending. `sampled` is told of each as soon as its usage has changed.
void sample_local_queues(State& state, Instant now, const std::function<void(LocalQueueId)>& sampled);

}  // namespace etiage::quota
