#include "explain/doctor/autoscalers.h"

#include <algorithm>
#include <fmt/format.h>

#include "explain/waste/scaling_signal.h"

namespace etiage::explain {
namespace {

/// Whether its target holds devices: CPU is a fine signal for a gateway.
bool of_gpu_workload(const Evidence& evidence, const ClusterAutoscaler& a) {
  return std::ranges::any_of(evidence.pods, [&](const PodLife& pod) {
    return pod.cluster == a.cluster && pod.ns == a.autoscaler.meta.ns &&
           pod.workload == a.autoscaler.target && pod.devices.count > 0;
  });
}

}  // namespace

std::vector<Check> autoscaler_checks(const Evidence& evidence,
                                     std::span<const ClusterAutoscaler> autoscalers) {
  std::vector<Check> out;
  for (const ClusterAutoscaler& a : autoscalers) {
    const auto wrong = wrong_signal(a.autoscaler);
    if (!wrong || (wrong->of_cpu && !of_gpu_workload(evidence, a))) continue;
    std::string fix;
    for (const std::string& line : right_signal(a.autoscaler)) fix += (fix.empty() ? "" : "\n") + line;
    out.push_back({"autoscaler-metric",
                   Severity::kWarning,
                   fmt::format("{} is scaled on {}: {}", a.autoscaler.target, wrong->metric, wrong->reason),
                   "replicas follow no queue: too many stay, or too few come",
                   fix,
                   {a.autoscaler.kind + "/" + a.autoscaler.meta.ns + "/" + a.autoscaler.meta.name}});
  }
  return out;
}

}  // namespace etiage::explain
