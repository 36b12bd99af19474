#pragma once
// Workloads over time: they come when they are created, run as long as they need once admitted, and leave.

#include <vector>

#include "engines/quota/gates.h"
#include "model/queue_config.h"

namespace etiage::quota {

struct WorkloadTimes {
  std::optional<Instant> admitted;  ///< the last time
  std::optional<Instant> finished;  ///< absent: never
  int evictions = 0;                ///< each begins the work anew

  bool operator==(const WorkloadTimes&) const = default;
};

struct ReplayResult {
  std::vector<WorkloadTimes> workloads;  ///< as in the objects
  std::int64_t cycles = 0, admissions = 0, preemptions = 0;
  Instant end;  ///< when nothing could happen any more

  bool operator==(const ReplayResult&) const = default;
};

/// `runtimes`: one a workload. Cycles take no time; after every arrival and every end they follow each other
/// until nothing moves.
Result<ReplayResult> replay(const QueueObjects& objects, const QueueConfiguration& configuration,
                            const Release& release, const std::vector<Duration>& runtimes);

}  // namespace etiage::quota
