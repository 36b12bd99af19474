#pragma once
// Groups of pods as Volcano counts them: what is ready, what waits and in which order.

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "engines/placement/gang/queued_group.h"
#include "engines/placement/volcano/resource.h"

namespace etiage::placement::volcano {

struct Task {
  PodIndex pod = 0;
  Resource asked;
  std::string role;  ///< annotation `volcano.sh/task-spec`
};

struct Job {
  std::size_t queue = 0;
  bool valid = false, admitted = false;
  std::int32_t ready = 0;       ///< pods with a node, or done
  std::int32_t all = 0;         ///< all pods
  std::int32_t valid_pods = 0;  ///< those, and the ones that wait
  std::int32_t waited = 0;      ///< that the scheduler may place, when the cycle began
  Resource held, request;
  std::deque<Task> pending,
      best_effort;  ///< in the order in which they are tried; the latter ask for nothing
  std::map<std::string, std::int32_t, std::less<>> ready_roles;
  std::set<std::string> failed_roles;
  std::string reason;
  std::vector<PlacedPod> placed;
};

/// `by_priority`: plugin priority orders the tasks.
Job load_job(const NodeBook& nodes, const QueuedGroup& group, bool by_priority);

/// Plugin gang: enough pods exist, of each role too; empty: it may be scheduled.
std::string invalid(const Job& job, const QueuedGroup& group);
/// Plugin gang: enough pods have a node.
bool is_ready(const Job& job, const QueuedGroup& group);
/// A pod found no node: others of the job are tried all the same.
bool goes_on(const Job& job, const QueuedGroup& group);

/// What is asked for minResources beyond what the job holds already.
Resource missing_minimum(const Job& job, const QueuedGroup& group);
/// What the job holds beyond minResources.
Resource elastic(const Job& job, const QueuedGroup& group);
/// Plugin drf: the largest part of the cluster that the job holds of one resource.
double dominant_share(const Job& job, const Resource& total);

Resource requests_of(const NodeBook& nodes, PodIndex pod);

}  // namespace etiage::placement::volcano
