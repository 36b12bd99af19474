#include "engines/quota/gates.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace etiage::quota {

namespace {

constexpr int kFirstMinor = 16, kLastMinor = 20;

/// Defaults of 0.16 to 0.20 in this order: on, off, or not known to the release
/// (pkg/features/kube_features.go).
struct GateRow {
  std::string_view name;
  std::string_view defaults;
  bool Gates::* field = nullptr;  ///< null: known to Kueue, of no effect on what is decided here
};

constexpr auto kGates = std::to_array<GateRow>({
    {"AdmissionFairSharing", "11111", &Gates::admission_fair_sharing},
    {"AdmissionGatedBy", "-0011", &Gates::admission_gated_by},
    {"AssignQueueLabelsForPods", "-1111"},
    {"CleanupProvisioningRequestsOnEviction", "---11"},
    {"ConcurrentAdmission", "--000"},
    {"CustomMetricLabels", "-0000"},
    {"DRAExtendedResources", "-0---"},
    {"DeferRayServiceFinalizationForRedisCleanup", "---11"},
    {"DisableWaitForPodsReady", "---00", &Gates::disable_wait_for_pods_ready},
    {"DynamicResourceAllocation", "00---"},
    {"ElasticJobsViaWorkloadSlices", "00111"},
    {"ElasticJobsViaWorkloadSlicesWithTAS", "-0000"},
    {"FailureRecoveryPolicy", "00000"},
    {"FairSharingPreemptWithinNominal", "-1111", &Gates::fair_preempt_within_nominal},
    {"FairSharingPrioritizeNonBorrowing", "-1111", &Gates::fair_prioritize_non_borrowing},
    {"FastQuotaReleaseInPodIntegration", "-0000"},
    {"FinishOrphanedWorkloads", "--111"},
    {"FlavorFungibility", "11111", &Gates::flavor_fungibility},
    {"HierarchicalCohorts", "11111"},
    {"KueueDRAIntegration", "--111"},
    {"KueueDRAIntegrationConsumableCapacity", "---00"},
    {"KueueDRAIntegrationExtendedResource", "--011"},
    {"KueueDRAIntegrationPartitionableDevices", "--011"},
    {"KueueDRARejectWorkloadsWhenDRADisabled", "--111"},
    {"LendingLimit", "11---", &Gates::lending_limit},
    {"LocalQueueDefaulting", "11---"},
    {"LocalQueueMetrics", "01111"},
    {"ManagedJobsNamespaceSelectorAlwaysRespected", "11111"},
    {"MetricForWorkloadCreationLatency", "--111"},
    {"MetricsForCohorts", "--111"},
    {"MultiKueue", "11111"},
    {"MultiKueueAdaptersForCustomJobs", "11111"},
    {"MultiKueueAllowInsecureKubeconfigs", "00000"},
    {"MultiKueueBatchJobWithManagedBy", "11---"},
    {"MultiKueueClusterProfile", "00000"},
    {"MultiKueueIncrementalDispatcherConfig", "---11"},
    {"MultiKueueIncrementalDispatcherRespectConfigOrder", "---11"},
    {"MultiKueueKubeConfigPathValidation", "---00"},
    {"MultiKueueManagerQuotaAutomation", "--000"},
    {"MultiKueueOrchestratedPreemption", "-0000"},
    {"MultiKueueRedoAdmissionOnEvictionInWorker", "11111"},
    {"MultiKueueWaitForWorkloadAdmitted", "11111"},
    {"ObjectRetentionPolicies", "11111"},
    {"PartialAdmission", "11111", &Gates::partial_admission},
    {"PriorityBoost", "-0000", &Gates::priority_boost},
    {"PrioritySortingWithinCohort", "11111", &Gates::priority_sorting_within_cohort},
    {"PropagateBatchJobLabelsToWorkload", "11111"},
    {"QuotaCheckStrategy", "--011", &Gates::quota_check_strategy},
    {"ReclaimablePods", "11111", &Gates::reclaimable_pods},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", "----1", &Gates::recompute_on_overlapping_targets},
    {"RejectUpdatesToCQWithInvalidOnFlavors", "--000"},
    {"RemoveFinalizersWithStrictPatch", "-1111"},
    {"SanitizePodSets", "11---"},
    {"SchedulerLibraryIntegration", "---00"},
    {"SchedulerLongRequeueInterval", "-0000"},
    {"SchedulerTimestampPreemptionBuffer", "-0000", &Gates::timestamp_preemption_buffer},
    {"SchedulingEquivalenceHashing", "-0111", &Gates::scheduling_equivalence_hashing},
    {"ShortWorkloadNames", "-0000"},
    {"SkipFinalizersForPodsSuspendedByParent", "11111"},
    {"SkipReassignmentForPodOwnedWorkloads", "---11"},
    {"SparkApplicationIntegration", "-0000"},
    {"TASAssignmentsEncodingByHostnamePrefix", "---11"},
    {"TASBalancedPlacement", "00000", &Gates::tas_balanced_placement},
    {"TASCacheNodeMatchResults", "---11"},
    {"TASCachingRemainingResources", "---11"},
    {"TASFailedNodeReplacement", "11111"},
    {"TASFailedNodeReplacementFailFast", "11111"},
    {"TASHandleOverlappingFlavors", "--111", &Gates::tas_handle_overlapping_flavors},
    {"TASMultiLayerTopology", "-0011", &Gates::tas_multi_layer_topology},
    {"TASProfileMixed", "11111", &Gates::tas_profile_mixed},
    {"TASRecomputeAssignmentWithinSchedulingCycle", "---11", &Gates::tas_recompute_within_cycle},
    {"TASReplaceNodeDueToNotReadyOverFixedTime", "-1100"},
    {"TASReplaceNodeOnNodeTaints", "-1111"},
    {"TASReplaceNodeOnPodTermination", "11111"},
    {"TASRespectNodeAffinityPreferred", "--000", &Gates::tas_respect_preferred_node_affinity},
    {"TLSOptions", "11111"},
    {"TopologyAwareScheduling", "11111", &Gates::topology_aware_scheduling},
    {"UnadmittedWorkloadsExplicitStatus", "---00"},
    {"UnadmittedWorkloadsObservability", "---00"},
    {"VectorizedResourceRequests", "---11"},
    {"VisibilityOnDemand", "11111"},
    {"WorkloadIdentifierAnnotations", "--111"},
    {"WorkloadPriorityClassDefaulting", "--000"},
    {"WorkloadRequestUseMergePatch", "00000"},
});

/// The minor of `0.19`, `v0.19.2`; -1 for anything else.
int minor_of(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  if (!version.starts_with("0.")) return -1;
  version.remove_prefix(2);
  int minor = 0;
  std::size_t digits = 0;
  while (digits < version.size() && digits < 3 && std::isdigit(static_cast<unsigned char>(version[digits])))
    minor = minor * 10 + (version[digits++] - '0');
  const bool ends = digits == version.size() || version[digits] == '.' || version[digits] == '-';
  return digits > 0 && ends ? minor : -1;
}

bool known(const GateRow& row, int minor) {
  return row.defaults[static_cast<std::size_t>(minor - kFirstMinor)] != '-';
}

}  // namespace

Result<Release> release(std::string_view version, const std::map<std::string, bool, std::less<>>& gates) {
  Release out{.minor = minor_of(version)};
  if (out.minor < kFirstMinor || out.minor > kLastMinor)
    return failure("unknown Kueue version '" + std::string(version) + "'", {},
                   "0.16 to 0.20 are known; 0.17 and 0.19 exactly");
  for (const GateRow& row : kGates)
    if (row.field) {
      const char state = row.defaults[static_cast<std::size_t>(out.minor - kFirstMinor)];
      // Lending limits became unconditional when their gate was removed.
      out.gates.*row.field = state == '1' || (state == '-' && row.field == &Gates::lending_limit);
    }
  for (const auto& [name, on] : gates) {
    const auto row =
        std::find_if(kGates.begin(), kGates.end(), [&](const GateRow& r) { return r.name == name; });
    if (row == kGates.end() || !known(*row, out.minor))
      return failure("Kueue 0." + std::to_string(out.minor) + " has no feature gate '" + name + "'");
    if (row->field) out.gates.*row->field = on;
  }
  return out;
}

}  // namespace etiage::quota
