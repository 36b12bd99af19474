#pragma once
// A head of a queue on its way through one scheduling cycle.

#include <vector>

#include "engines/quota/assignment.h"
#include "engines/quota/pending_queues.h"

namespace etiage::quota {

struct Entry {
  enum class Outcome : std::uint8_t { kNotNominated, kSkipped, kAdmitted };

  WorkloadId workload;
  Assignment assignment;
  std::vector<Target> targets;
  RequeueReason requeue_reason = RequeueReason::kGeneric;
  Outcome outcome = Outcome::kNotNominated;
  StatusText status;             ///< what its condition will say if it stays pending
  bool keep_last_tried = false;  ///< the next attempt goes on after the flavors tried in this one
  bool waits_for_ready = false;  ///< others must be ready before it may be admitted
  bool keep_status = false;      ///< Kueue could not even ask: no condition is written
};

}  // namespace etiage::quota
