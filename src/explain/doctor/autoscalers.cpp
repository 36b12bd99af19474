#include "explain/doctor/autoscalers.h"

#include <algorithm>
#include <fmt/format.h>

#include "explain/waste/scaling_signal.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

/// Whether they hold devices: CPU is a fine signal for a gateway.
bool any_holds_devices(const Evidence& evidence, const std::vector<PodId>& pods) {
  return std::ranges::any_of(pods, [&](PodId id) { return evidence.pods[id.index()].devices.count > 0; });
}

}  // namespace

std::vector<Check> autoscaler_checks(const Evidence& evidence,
                                     std::span<const ClusterAutoscaler> autoscalers) {
  std::vector<Check> out;
  for (const ClusterAutoscaler& a : autoscalers) {
    const auto wrong = wrong_signal(a.autoscaler);
    const auto pods = scaled_pods(evidence, a);
    if (!wrong || (wrong->of_cpu && !any_holds_devices(evidence, pods))) continue;
    const std::string engine = pods.empty() ? "" : evidence.pods[pods.front().index()].engine;
    std::string fix;
    for (const std::string& line : right_signal(a.autoscaler, engine))
      fix += (fix.empty() ? "" : "\n") + line;
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
