#pragma once
// From objects to decisions: cycles until nothing moves, each with what it decided and why, in Kueue's words.

#include <map>
#include <string>
#include <vector>

#include "engines/quota/gates.h"
#include "model/queue_config.h"

namespace etiage::quota {

class Simulation;

/// Pod set to resource to flavor.
using FlavorsByPodSet = std::map<std::string, LabelMap>;

/// What a workload was given.
struct GrantRecord {
  std::string cluster_queue;
  FlavorsByPodSet flavors;
  std::map<std::string, std::int32_t> counts;  ///< pod sets that got fewer pods than they asked for
  std::map<std::string, TopologyAssignment> topology;

  bool operator==(const GrantRecord&) const = default;
};

struct AdmittedRecord {
  std::string workload;
  GrantRecord grant;

  bool operator==(const AdmittedRecord&) const = default;
};

struct PreemptedRecord {
  std::string workload, reason, by;

  bool operator==(const PreemptedRecord&) const = default;
};

struct PendingRecord {
  std::string workload;
  std::string status;  ///< parked, requeued or none
  std::string message;

  bool operator==(const PendingRecord&) const = default;
};

/// Workloads by name and, but for `order`, in the order of the names.
struct CycleRecord {
  int cycle = 0;
  std::vector<std::string> heads;
  std::vector<std::string> order;  ///< in which they were taken
  std::vector<AdmittedRecord> admitted;
  std::vector<PreemptedRecord> preempted;
  std::vector<PendingRecord> pending;
  std::vector<std::string> reactivated;  ///< parked until something was freed

  bool operator==(const CycleRecord&) const = default;
};

struct WorkloadRecord {
  std::string ns, name;
  std::string outcome;  ///< admitted, preempting or pending
  GrantRecord grant;    ///< `cluster_queue` even where nothing was given
  std::vector<PreemptedRecord> victims;
  std::string queue;  ///< active, parked or none; empty where admitted
  std::string message;

  bool operator==(const WorkloadRecord&) const = default;
};

struct ClusterQueueRecord {
  std::string name;
  std::map<std::string, std::map<std::string, Quantity>> usage, available;  ///< by flavor and resource

  bool operator==(const ClusterQueueRecord&) const = default;
};

struct AdmissionRun {
  std::string stopped;  ///< quiet: nobody waits; idle: nothing changes any more; cycles: after as many as
                        ///< were asked for
  std::vector<std::pair<std::string, std::string>> evicted_at_start;  ///< workload and reason
  std::vector<CycleRecord> cycles;
  std::vector<WorkloadRecord> workloads;
  std::vector<ClusterQueueRecord> cluster_queues;
};

/// Cycles are a second apart, beginning a second after `now`; evicted workloads give their quota back at
/// once.
Result<AdmissionRun> run(const QueueObjects& objects, const QueueConfiguration& configuration,
                         const Release& release, Instant now, int cycles);

/// What the workload holds, in names; empty where it holds nothing.
GrantRecord grant_record(const Simulation& simulation, std::size_t workload);
/// Why the workload waits, in Kueue's words; empty where nothing was said.
std::string message_of(const Simulation& simulation, std::size_t workload);

}  // namespace etiage::quota
