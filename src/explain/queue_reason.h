#pragma once
// Why one workload waits in Kueue: behind whom, since when, in Kueue's own words, and the smallest changes
// that admit it.

#include <optional>
#include <string>
#include <vector>

#include "engines/quota/run.h"

namespace etiage::explain {

struct QueueReason {
  quota::WorkloadRecord decision;    ///< after the last cycle
  std::optional<Instant> since;      ///< when it was created
  std::vector<std::string> behind;   ///< of its ClusterQueue, first first: those that are tried before it
  std::vector<std::string> changes;  ///< each alone admits it; smallest first
};

/// `name` may stand alone or after a namespace and a slash. An error where there is no such workload, or
/// several.
Result<QueueReason> queue_reason(const QueueObjects& objects, const QueueConfiguration& configuration,
                                 const quota::Release& release, Instant now, const std::string& name);

/// The same as sentences, one a line.
std::vector<std::string> sentences(const QueueReason& reason);

}  // namespace etiage::explain
