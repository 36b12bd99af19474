#pragma once
// What one release of Kueue does differently from another: feature gates and behaviour that has no gate.

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage::quota {

/// The gates that change a decision or a text; names as Kueue writes them.
struct Gates {
  bool partial_admission = true;                     ///< PartialAdmission
  bool flavor_fungibility = true;                    ///< FlavorFungibility
  bool priority_sorting_within_cohort = true;        ///< PrioritySortingWithinCohort
  bool lending_limit = true;                         ///< LendingLimit
  bool fair_preempt_within_nominal = true;           ///< FairSharingPreemptWithinNominal
  bool fair_prioritize_non_borrowing = true;         ///< FairSharingPrioritizeNonBorrowing
  bool topology_aware_scheduling = true;             ///< TopologyAwareScheduling
  bool tas_profile_mixed = true;                     ///< TASProfileMixed
  bool tas_balanced_placement = false;               ///< TASBalancedPlacement
  bool tas_multi_layer_topology = false;             ///< TASMultiLayerTopology
  bool tas_recompute_within_cycle = false;           ///< TASRecomputeAssignmentWithinSchedulingCycle
  bool tas_handle_overlapping_flavors = false;       ///< TASHandleOverlappingFlavors
  bool tas_respect_preferred_node_affinity = false;  ///< TASRespectNodeAffinityPreferred
  bool admission_fair_sharing = true;                ///< AdmissionFairSharing
  bool scheduling_equivalence_hashing = false;       ///< SchedulingEquivalenceHashing
  bool timestamp_preemption_buffer = false;          ///< SchedulerTimestampPreemptionBuffer
  bool priority_boost = false;                       ///< PriorityBoost
  bool admission_gated_by = false;                   ///< AdmissionGatedBy
  bool reclaimable_pods = true;                      ///< ReclaimablePods
  bool quota_check_strategy = false;                 ///< QuotaCheckStrategy
  bool disable_wait_for_pods_ready = false;          ///< DisableWaitForPodsReady
  bool recompute_on_overlapping_targets = false;     ///< RecomputeAssignmentUponPreemptionTargetsOverlap
};

struct Release {
  int minor = 19;  ///< of 0.x
  Gates gates;

  /// Released later than 0.17: the code of 0.19 is followed (0.18 is told apart by its gates alone).
  bool after_017() const { return minor > 17; }
};

inline constexpr std::string_view kLatestRelease = "0.19";

/// A release by its name (`0.19`, `v0.19.2`) with gates set by name; an unknown release or gate is an error
/// that says which exist.
Result<Release> release(std::string_view version, const std::map<std::string, bool, std::less<>>& gates);

}  // namespace etiage::quota
