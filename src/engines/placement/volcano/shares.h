#pragma once
// Volcano's queues: what each deserves, who may reclaim and who must give (plugins proportion and capacity,
// volcano v1.15 and master of 2026-08).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/placement/amounts.h"

namespace etiage::placement::volcano {

struct Queue {
  std::string name;
  std::int32_t weight = 1, priority = 0;
  std::optional<Amounts> capability;  ///< hard limit; a resource that it does not name has none
  Amounts guarantee;                  ///< kept free for the queue
  Amounts deserved;                   ///< capacity: as configured; proportion: set by `water_fill`
  bool reclaimable = true;
  Amounts request;    ///< of all its jobs
  Amounts allocated;  ///< held by its pods
};

/// Capability, and no more than what the guarantees of the others leave.
Amounts real_capability(const Queue& queue, const std::vector<Queue>& queues, const Amounts& total);

/// Plugin proportion: sets `deserved` of the queues that ask for something by pouring out the total by
/// weight.
void water_fill(std::vector<Queue>& queues, const Amounts& total);

/// The largest of allocated / deserved; with the plugin capacity a queue without deserved counts as full.
double share(const Queue& queue);
/// Deserved is reached in every resource: the queue takes nothing from others.
bool is_overused(const Queue& queue);

/// The gate `enqueue`: the job's minimum still fits below what the queue can get.
bool may_enqueue(const Queue& queue, const Amounts& real_capability, const Amounts& minimum,
                 const Amounts& inqueue = {}, const Amounts& elastic = {});

/// Plugin capacity: a task may take from other queues where, in at least one resource that it asks for, its
/// queue stays within what it deserves.
bool may_reclaim(const Queue& queue, const Amounts& task);
/// A task of that queue is a victim for `reclaimer`: they share a resource, the guarantee holds without it,
/// and the queue is above what it deserves in a resource of the task, or the task asks for none that is
/// deserved.
bool is_victim(const Queue& queue, const Amounts& task, const Amounts& reclaimer);

/// Plugin gang: how many of a job's pods may be taken without breaking it.
std::int32_t spare_pods(std::int32_t ready, std::int32_t min_available);

/// Plugin binpack, 0 to 100 x its weight: resources that the task asks for and that have a weight.
struct BinpackWeights {
  double weight = 1;
  Amounts resources = {{"cpu", 1}, {"memory", 1}};  ///< stock: GPUs do not count
};
double binpack_score(const Amounts& used, const Amounts& allocatable, const Amounts& task,
                     const BinpackWeights& weights);

}  // namespace etiage::placement::volcano
