// What devices are measured by, and what that makes of `busy`.

#include <algorithm>

#include "base/counted.h"
#include "evidence/checks/checks.h"

namespace etiage::evidence {
namespace {

constexpr const char* kSmActiveLine =
    "DCGM_FI_PROF_SM_ACTIVE, gauge, The ratio of cycles an SM has at least 1 warp assigned.";

bool has(const DeviceRows& d, BusySignal signal) {
  return d.gauges.contains(signal);
}

std::string node_name(const Draft& draft, std::size_t device) {
  const DeviceId id = draft.device_ids[device];
  return draft.out.nodes[draft.out.devices[id.index()].node.index()].name;
}

/// Nodes with a device of which `lacks` is true; a card whose instances report is none.
template <class F>
std::vector<std::string> nodes_where(const Draft& draft, F lacks) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i)
    if (draft.device_ids[i].valid() && lacks(draft.catalogue.devices[i])) out.push_back(node_name(draft, i));
  return unique(std::move(out));
}

}  // namespace

void check_signals(Draft& draft) {
  constexpr const char* kOnlyUtil = ": busy is taken from GPU_UTIL, which says only that some kernel ran";
  const auto of_nvidia = [](const DeviceRows& d) {
    return d.exporter_dialect == "nvidia-smi" || d.exporter_dialect == "Triton";
  };
  const auto no_profiling = [](const DeviceRows& d) {
    return d.instance.empty() && has(d, BusySignal::kGpuUtil) && !has(d, BusySignal::kSmActive) &&
           !has(d, BusySignal::kGrEngineActive);
  };
  const auto no_sm = [](const DeviceRows& d) {
    return has(d, BusySignal::kGrEngineActive) && !has(d, BusySignal::kSmActive);
  };
  const auto by_dcgm = [](const DeviceRows& d) { return d.exporter_dialect == "DCGM"; };
  const auto virtual_gpu = [](const DeviceRows& d) { return d.card_model.starts_with("GRID "); };
  const std::string effect = "busy is too high, heldIdle too low";
  if (auto nodes = nodes_where(
          draft, [&](const DeviceRows& d) { return no_profiling(d) && by_dcgm(d) && !virtual_gpu(d); });
      !nodes.empty())
    draft.check({"profiling-metrics-missing", Severity::kWarning,
                 "no DCGM_FI_PROF_* of the devices of " + counted(nodes.size(), "node") + kOnlyUtil, effect,
                 "run the exporter with the capability SYS_ADMIN (securityContext: {capabilities: {add: "
                 "[SYS_ADMIN]}}) and no other profiler on the card; its counters file needs "
                 "`DCGM_FI_PROF_GR_ENGINE_ACTIVE, gauge, Ratio of time the graphics engine is active.`",
                 std::move(nodes)});
  if (auto nodes = nodes_where(draft, [&](const DeviceRows& d) { return no_profiling(d) && virtual_gpu(d); });
      !nodes.empty())
    draft.check({"profiling-metrics-missing", Severity::kWarning,
                 "virtual GPUs have no DCGM_FI_PROF_*: " + counted(nodes.size(), "node") + kOnlyUtil, effect,
                 "run DCGM exporter on the host of the virtual machines, where the driver has them",
                 std::move(nodes)});
  if (auto nodes = nodes_where(draft,
                               [&](const DeviceRows& d) {
                                 return no_profiling(d) && of_nvidia(d) && !by_dcgm(d) && !virtual_gpu(d);
                               });
      !nodes.empty())
    draft.check({"profiling-metrics-missing", Severity::kWarning,
                 "no rows of DCGM exporter of " + counted(nodes.size(), "node") + kOnlyUtil, effect,
                 "run DCGM exporter beside it: its DCGM_FI_PROF_GR_ENGINE_ACTIVE, on by default, tells more",
                 std::move(nodes)});
  if (auto nodes = nodes_where(draft, no_sm); !nodes.empty())
    draft.check({"sm-active-missing", Severity::kWarning,
                 "busy is taken from GR_ENGINE_ACTIVE on " + counted(nodes.size(), "node") +
                     ", an upper bound: DCGM_FI_PROF_SM_ACTIVE is not exported",
                 "busy is too high, heldIdle too low",
                 std::string("add `") + kSmActiveLine +
                     "` to the exporter's counters file (Helm: customMetrics, or dcgmExporter.config.name "
                     "of the GPU Operator)",
                 std::move(nodes)});
}

void check_mixed_signals(Draft& draft) {
  const auto other = [&](const Work& w) { return w.signal != draft.out.work.front().signal; };
  if (std::ranges::any_of(draft.out.work, other))
    draft.check({"mixed-signals",
                 Severity::kInfo,
                 "devices are measured by different signals",
                 "models with different signals are not compared",
                 "export the same counters on every node",
                 {}});
}

void check_mig_signals(Draft& draft) {
  const auto only_util = [](const DeviceRows& d) {
    return !d.instance.empty() && has(d, BusySignal::kGpuUtil) && !has(d, BusySignal::kSmActive) &&
           !has(d, BusySignal::kGrEngineActive);
  };
  if (auto nodes = nodes_where(draft, only_util); !nodes.empty())
    draft.check(
        {"gpu-util-on-mig", Severity::kError,
         "MIG instances are measured by GPU_UTIL alone, which DCGM does not support there: 0 or absent, "
         "whatever runs",
         "they look idle; nothing is found wasteful on this ground",
         "add `DCGM_FI_PROF_GR_ENGINE_ACTIVE, gauge, Ratio of time the graphics engine is active.` to "
         "the exporter's counters file",
         std::move(nodes)});
}

void check_odd_values(Draft& draft) {
  const OddValues odd = draft.catalogue.odd;
  if (odd.clamped + odd.dropped > 0)
    draft.check({"odd-values",
                 Severity::kInfo,
                 std::to_string(odd.clamped) + " busy values between 1 and 1.5 clamped to 1, " +
                     std::to_string(odd.dropped) + " outside dropped",
                 "a dropped sample counts as absent",
                 "update the exporter; DCGM gives such values after a profiler was attached",
                 {}});
}

}  // namespace etiage::evidence
