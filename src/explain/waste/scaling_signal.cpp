#include "explain/waste/scaling_signal.h"

#include <algorithm>
#include <fmt/format.h>

namespace etiage::explain {
namespace {

enum class Follows { kGpuActivity, kGpuMemory, kCpu, kOther };

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

Follows follows(const ScalingMetric& m) {
  const std::string text = lower(m.name + " " + m.query);
  if (has_any(text, {"gpu_util", "gpu-util", "sm_active", "sm_util", "gr_engine_active", "duty_cycle",
                     "tensor_active", "gpu_gfx_activity", "gpu_usage"}))
    return Follows::kGpuActivity;
  if (has_any(text, {"fb_used", "gpu_memory", "gpu_mem", "memory_used_bytes"})) return Follows::kGpuMemory;
  if (m.name == "cpu" || m.name == "memory" ||
      has_any(text, {"container_cpu_usage", "container_memory_working_set"}))
    return Follows::kCpu;
  return Follows::kOther;
}

std::string shown(const ScalingMetric& m) {
  return m.query.empty() ? m.name : m.query;
}

/// A ratio cannot pass 1: a target above it never fires.
bool never_fires(const ScalingMetric& m) {
  const std::string text = lower(m.name + " " + m.query);
  return m.target && *m.target > 1 && has_any(text, {"sm_active", "gr_engine_active", "tensor_active"}) &&
         text.find('*') == std::string::npos;
}

}  // namespace

std::optional<WrongSignal> wrong_signal(const Autoscaler& a) {
  for (const ScalingMetric& m : a.metrics) {
    const Follows what = follows(m);
    if (what == Follows::kGpuActivity)
      return WrongSignal{
          shown(m), never_fires(m) ? "a ratio that never passes 1, so that it can never fire"
                                   : "high as soon as any request runs, so that replicas are not given back"};
    if (what == Follows::kGpuMemory)
      return WrongSignal{shown(m), "an engine takes its memory at the start and keeps it, whatever the load"};
  }
  if (!a.metrics.empty() &&
      std::ranges::all_of(a.metrics, [](const ScalingMetric& m) { return follows(m) == Follows::kCpu; }))
    return WrongSignal{shown(a.metrics.front()),
                       "the GPU does the work, so that it says nothing of the queue", true};
  return {};
}

std::vector<std::string> right_signal(const Autoscaler& a) {
  if (a.kind == "ScaledObject")
    return {
        "triggers:",
        "- type: prometheus",
        "  metadata:",
        "    serverAddress: http://prometheus-operated.monitoring.svc:9090",
        fmt::format("    query: sum(vllm:num_requests_running{{namespace=\"{0}\",pod=~\"{1}-.*\"}}) + "
                    "sum(vllm:num_requests_waiting{{namespace=\"{0}\",pod=~\"{1}-.*\"}})",
                    a.meta.ns, a.target),
        "    threshold: \"32\"  # requests one replica holds at its SLO: etiage size MODEL --concurrency N"};
  return {
      fmt::format("kubectl -n {} patch hpa {} --type merge -p '{{\"spec\":{{\"metrics\":[{{\"type\":\"Pods\","
                  "\"pods\":{{\"metric\":{{\"name\":\"vllm_num_requests_waiting\"}},\"target\":{{\"type\":"
                  "\"AverageValue\",\"averageValue\":\"2\"}}}}}}]}}}}'",
                  a.meta.ns, a.meta.name),
      "rules: [{seriesQuery: \"vllm:num_requests_waiting{pod!=''}\", name: {as: vllm_num_requests_waiting}, "
      "resources: {overrides: {namespace: {resource: namespace}, pod: {resource: pod}}}, metricsQuery: "
      "\"sum(<<.Series>>{<<.LabelMatchers>>}) by (<<.GroupBy>>)\"}]  # of prometheus-adapter"};
}

}  // namespace etiage::explain
