#pragma once
// Kueue's objects of quota: flavors, ClusterQueues, cohorts, LocalQueues, topologies. The names are Kueue's
// own (v1beta2).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "model/meta.h"

namespace etiage {

/// One resource of one flavor in a ClusterQueue or Cohort.
struct ResourceQuota {
  std::string resource;
  Quantity nominal;
  std::optional<Quantity> borrowing_limit;  ///< absent: no limit
  std::optional<Quantity> lending_limit;    ///< absent: everything is lent

  bool operator==(const ResourceQuota&) const = default;
};

struct FlavorQuotas {
  std::string flavor;
  std::vector<ResourceQuota> resources;

  bool operator==(const FlavorQuotas&) const = default;
};

struct ResourceGroup {
  std::vector<std::string> covered_resources;
  std::vector<FlavorQuotas> flavors;  ///< in the order in which they are tried

  bool operator==(const ResourceGroup&) const = default;
};

enum class PreemptionPolicy { kNever, kLowerPriority, kLowerOrNewerEqualPriority, kAny };

struct ClusterQueuePreemption {
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::kNever;
  PreemptionPolicy within_cluster_queue = PreemptionPolicy::kNever;
  bool borrow_within_cohort = false;  ///< policy LowerPriority; otherwise Never
  std::optional<std::int32_t> max_priority_threshold;

  bool operator==(const ClusterQueuePreemption&) const = default;
};

enum class FungibilityPreference { kBorrowingOverPreemption, kPreemptionOverBorrowing };

struct FlavorFungibility {
  bool borrow_tries_next = false;  ///< whenCanBorrow: TryNextFlavor; otherwise MayStopSearch
  bool preempt_tries_next = true;  ///< whenCanPreempt: the same
  std::optional<FungibilityPreference> preference;

  bool operator==(const FlavorFungibility&) const = default;
};

enum class StopPolicy { kNone, kHold, kHoldAndDrain };

struct AdmissionCheckRule {
  std::string name;
  std::vector<std::string> on_flavors;  ///< empty: all

  bool operator==(const AdmissionCheckRule&) const = default;
};

struct ClusterQueue {
  ObjectMeta meta;
  std::string cohort;  ///< empty: none
  std::vector<ResourceGroup> resource_groups;
  bool strict_fifo = false;                         ///< otherwise BestEffortFIFO
  std::optional<LabelSelector> namespace_selector;  ///< absent: matches no namespace
  ClusterQueuePreemption preemption;
  FlavorFungibility fungibility;
  std::vector<AdmissionCheckRule> admission_checks;
  StopPolicy stop = StopPolicy::kNone;
  std::optional<Quantity> fair_weight;  ///< absent: 1
  bool usage_based_admission = false;   ///< admissionScope: UsageBasedAdmissionFairSharing
  bool concurrent_admission = false;    ///< concurrentAdmissionPolicy is there; nothing is decided by it

  bool operator==(const ClusterQueue&) const = default;
};

struct Cohort {
  ObjectMeta meta;
  std::string parent;  ///< empty: a root
  std::vector<ResourceGroup> resource_groups;
  std::optional<Quantity> fair_weight;

  bool operator==(const Cohort&) const = default;
};

struct LocalQueue {
  ObjectMeta meta;
  std::string cluster_queue;
  StopPolicy stop = StopPolicy::kNone;
  std::optional<Quantity> fair_weight;
  /// Usage that admission fair sharing has recorded so far; absent: none persisted.
  std::optional<ResourceList> consumed;

  bool operator==(const LocalQueue&) const = default;
};

struct ResourceFlavor {
  ObjectMeta meta;
  LabelMap node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;
  std::string topology;  ///< name of a Topology; empty: not topology-aware

  bool operator==(const ResourceFlavor&) const = default;
};

/// Levels from the widest (a block) to the narrowest (a host), as node label keys.
struct Topology {
  ObjectMeta meta;
  std::vector<std::string> levels;

  bool operator==(const Topology&) const = default;
};

struct WorkloadPriorityClass {
  ObjectMeta meta;
  std::int32_t value = 0;

  bool operator==(const WorkloadPriorityClass&) const = default;
};

struct AdmissionCheck {
  ObjectMeta meta;
  std::string controller;
  std::vector<Condition> conditions;

  bool operator==(const AdmissionCheck&) const = default;
};

}  // namespace etiage
