#include <fmt/format.h>

#include "formats/kube/kueue_fields.h"
#include "formats/kube/meta.h"

namespace etiage::formats::kueue {
namespace {

PreemptionPolicy read_policy(const Tree& preemption, const char* field, const FieldReading& reading) {
  const std::string& text = preemption[field].text();
  if (text == "Any") return PreemptionPolicy::kAny;
  if (text == "LowerPriority") return PreemptionPolicy::kLowerPriority;
  if (text == "LowerOrNewerEqualPriority") return PreemptionPolicy::kLowerOrNewerEqualPriority;
  if (!text.empty() && text != "Never")
    reading.refuse(preemption[field], fmt::format("spec.preemption.{}", field),
                   fmt::format("'{}' is none of Never, LowerPriority, LowerOrNewerEqualPriority, Any", text));
  return PreemptionPolicy::kNever;
}

ClusterQueuePreemption read_preemption(const Tree& tree, const FieldReading& reading) {
  ClusterQueuePreemption out;
  out.reclaim_within_cohort = read_policy(tree, "reclaimWithinCohort", reading);
  out.within_cluster_queue = read_policy(tree, "withinClusterQueue", reading);
  const Tree& borrow = tree["borrowWithinCohort"];
  out.borrow_within_cohort = borrow["policy"].text() == "LowerPriority";
  out.max_priority_threshold = read_int32(borrow["maxPriorityThreshold"],
                                          "spec.preemption.borrowWithinCohort.maxPriorityThreshold", reading);
  return out;
}

FlavorFungibility read_fungibility(const Tree& tree, const FieldReading& reading) {
  FlavorFungibility out;
  const auto tries_next = [&](const char* field, bool fallback) {
    const std::string& text = tree[field].text();
    if (text.empty()) return fallback;
    if (text != "TryNextFlavor" && text != "MayStopSearch" && text != "Borrow" && text != "Preempt")
      reading.refuse(tree[field], fmt::format("spec.flavorFungibility.{}", field),
                     fmt::format("'{}' is none of MayStopSearch, TryNextFlavor", text));
    return text == "TryNextFlavor";
  };
  out.borrow_tries_next = tries_next("whenCanBorrow", false);
  out.preempt_tries_next = tries_next("whenCanPreempt", true);
  const std::string& preference = tree["preference"].text();
  if (preference == "BorrowingOverPreemption")
    out.preference = FungibilityPreference::kBorrowingOverPreemption;
  else if (preference == "PreemptionOverBorrowing")
    out.preference = FungibilityPreference::kPreemptionOverBorrowing;
  else if (!preference.empty())
    reading.refuse(
        tree["preference"], "spec.flavorFungibility.preference",
        fmt::format("'{}' is none of BorrowingOverPreemption, PreemptionOverBorrowing", preference));
  return out;
}

/// v1beta1 has a plain list of names besides the strategy.
std::vector<AdmissionCheckRule> read_checks(const Tree& spec) {
  std::vector<AdmissionCheckRule> out;
  for (const Tree& name : spec["admissionChecks"].items()) out.push_back({name.text(), {}});
  for (const Tree& check : spec["admissionChecksStrategy"]["admissionChecks"].items())
    out.push_back({check["name"].text(), read_strings(check["onFlavors"])});
  return out;
}

}  // namespace

ClusterQueue read_cluster_queue(const Tree& object, ObjectMeta meta, const FieldReading& reading) {
  const Tree& spec = object["spec"];
  ClusterQueue out{.meta = std::move(meta)};
  out.cohort = spec.has("cohortName") ? spec["cohortName"].text() : spec["cohort"].text();
  out.resource_groups = read_resource_groups(spec["resourceGroups"], reading);
  out.strict_fifo = spec["queueingStrategy"].text() == "StrictFIFO";
  if (spec.has("queueingStrategy") && !out.strict_fifo && spec["queueingStrategy"].text() != "BestEffortFIFO")
    reading.refuse(
        spec["queueingStrategy"], "spec.queueingStrategy",
        fmt::format("'{}' is none of StrictFIFO, BestEffortFIFO", spec["queueingStrategy"].text()));
  if (spec.has("namespaceSelector")) out.namespace_selector = read_label_selector(spec["namespaceSelector"]);
  out.preemption = read_preemption(spec["preemption"], reading);
  out.fungibility = read_fungibility(spec["flavorFungibility"], reading);
  out.admission_checks = read_checks(spec);
  out.stop = read_stop_policy(spec["stopPolicy"], reading);
  out.fair_weight = read_quantity(spec["fairSharing"]["weight"], "spec.fairSharing.weight", reading);
  out.usage_based_admission =
      spec["admissionScope"]["admissionMode"].text() == "UsageBasedAdmissionFairSharing";
  out.concurrent_admission = spec["concurrentAdmissionPolicy"].is_map();
  return out;
}

}  // namespace etiage::formats::kueue
