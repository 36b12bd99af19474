#pragma once
// Kueue's controller configuration, as far as it changes decisions, and the bundle of objects that a decision
// is made on.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/node.h"
#include "model/queue.h"
#include "model/queue_workload.h"

namespace etiage {

enum class FairPreemptionStrategy { kLessThanOrEqualToFinalShare, kLessThanInitialShare };

struct AdmissionFairSharing {
  Duration half_life;
  Duration sampling_interval = Duration::seconds(300);
  std::map<std::string, double, std::less<>> resource_weights;  ///< absent: 1

  bool operator==(const AdmissionFairSharing&) const = default;
};

struct WaitForPodsReady {
  Duration timeout = Duration::seconds(1800);
  std::optional<Duration> recovery_timeout;
  bool block_admission = false;
  bool requeue_by_creation = false;  ///< requeuingStrategy.timestamp: Creation; otherwise Eviction
  std::optional<std::int32_t> backoff_limit;
  std::int32_t backoff_base_seconds = 60, backoff_max_seconds = 3600;

  bool operator==(const WaitForPodsReady&) const = default;
};

struct ResourceTransformation {
  std::string input, multiply_by;
  bool retain = true;
  ResourceList outputs;

  bool operator==(const ResourceTransformation&) const = default;
};

struct QueueConfiguration {
  bool fair_sharing = false;
  std::vector<FairPreemptionStrategy> fair_strategies;  ///< empty: both
  std::optional<AdmissionFairSharing> admission_fair_sharing;
  std::optional<WaitForPodsReady> wait_for_pods_ready;
  std::vector<std::string> excluded_resource_prefixes;
  std::vector<ResourceTransformation> transformations;
  bool ignore_undeclared = false;  ///< quotaCheckStrategy: IgnoreUndeclared
  std::map<std::string, bool, std::less<>> feature_gates;

  bool operator==(const QueueConfiguration&) const = default;
};

struct Namespace {
  ObjectMeta meta;

  bool operator==(const Namespace&) const = default;
};

/// Everything a decision of Kueue depends on, in the order of the input.
struct QueueObjects {
  std::vector<ResourceFlavor> flavors;
  std::vector<ClusterQueue> cluster_queues;
  std::vector<Cohort> cohorts;
  std::vector<LocalQueue> local_queues;
  std::vector<Topology> topologies;
  std::vector<AdmissionCheck> admission_checks;
  std::vector<WorkloadPriorityClass> priority_classes;
  std::vector<Namespace> namespaces;
  std::vector<Workload> workloads;
  std::vector<Node> nodes;
  std::vector<Pod> pods;
};

}  // namespace etiage
