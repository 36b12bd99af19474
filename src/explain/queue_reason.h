#pragma once
// Why one workload waits in Kueue: behind whom, since when, in Kueue's own words, and the smallest changes
// that admit it.

#include <optional>
#include <string>
#include <vector>

#include "engines/quota/run.h"

namespace etiage::explain {

/// A workload that holds quota which this one could use.
struct QuotaHolder {
  std::string workload;  ///< NAMESPACE/NAME
  std::string cluster_queue;
  std::int64_t priority = 0;
  bool may_be_preempted = false;  ///< its priority is lower

  bool operator==(const QuotaHolder&) const = default;
};

struct QueueReason {
  quota::WorkloadRecord decision;    ///< after the last cycle
  std::int64_t priority = 0;         ///< as Kueue counts it
  std::optional<Instant> since;      ///< when it was created, or evicted the last time
  std::string recorded;              ///< what its own QuotaReserved condition says; empty: nothing yet
  std::vector<std::string> behind;   ///< of its ClusterQueue, first first: those that are tried before it
  std::vector<QuotaHolder> holders;  ///< in its tree of cohorts, lowest priority first
  std::vector<std::string> changes;  ///< each alone admits it; smallest first
};

/// `name` may stand alone or after a namespace and a slash. An error where there is no such workload, or
/// several.
Result<QueueReason> queue_reason(const QueueObjects& objects, const QueueConfiguration& configuration,
                                 const quota::Release& release, Instant now, const std::string& name);

/// The first of the sentences: what and since when.
std::string statement(const QueueReason& reason);
/// Everything as sentences, one a line.
std::vector<std::string> sentences(const QueueReason& reason);

}  // namespace etiage::explain
