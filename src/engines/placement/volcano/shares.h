#pragma once
// Volcano's queues: what each deserves, who may reclaim and who must give (plugins proportion and capacity,
// v1.15).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "engines/placement/volcano/resource.h"

namespace etiage::placement::volcano {

struct Queue {
  std::string name;
  std::int32_t weight = 1, priority = 0;
  std::optional<Resource> capability;  ///< hard limit; CPU, memory or a resource that it does not name: none
  Resource guarantee;                  ///< kept free for the queue
  Resource deserved;                   ///< capacity: as configured; proportion: set by `water_fill`
  bool reclaimable = true;
  bool open = true;  ///< a closed queue takes nothing more in
  std::optional<Instant> created;
  bool has_jobs = false;  ///< queues without jobs take no part in the sharing
  Resource request;       ///< of all its jobs
  Resource allocated;     ///< held by its pods
};

/// Capability, and no more than what the guarantees of the others leave.
Resource real_capability(const Queue& queue, const std::vector<Queue>& queues, const Resource& total);

/// Plugin proportion: sets `deserved` of the queues with jobs by pouring out the total by weight.
void water_fill(std::vector<Queue>& queues, const Resource& total);
/// Plugin capacity: no more than the queue can have, and no less than its guarantee.
void bound_deserved(std::vector<Queue>& queues, const Resource& total);

/// The largest of allocated / deserved.
double share(const Queue& queue);
/// Deserved is reached in every resource: with proportion the queue gets nothing more, and takes nothing.
bool is_overused(const Queue& queue);

/// Plugin capacity: a task may take from other queues where, in at least one resource that it asks for, its
/// queue stays within what it deserves.
bool may_reclaim(const Queue& queue, const Resource& task);
/// A task of that queue is a victim for `reclaimer`: they share a resource, the guarantee holds without it,
/// and the queue is above what it deserves in a resource of the task, or the task asks for none that is
/// deserved.
bool is_victim(const Queue& queue, const Resource& task, const Resource& reclaimer);

/// Plugin gang: how many of a job's pods may be taken without breaking it.
std::int32_t spare_pods(std::int32_t ready, std::int32_t min_available);

}  // namespace etiage::placement::volcano
