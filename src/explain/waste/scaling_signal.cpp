#include "explain/waste/scaling_signal.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "explain/waste/engine_series.h"

namespace etiage::explain {
namespace {

enum class Follows { kGpuActivity, kGpuMemory, kCpu, kOther };

bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

Follows follows(const ScalingMetric& m) {
  const std::string text = lower_case(m.name + " " + m.query);
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
  const std::string text = lower_case(m.name + " " + m.query);
  return m.target && *m.target > 1 && has_any(text, {"sm_active", "gr_engine_active", "tensor_active"}) &&
         text.find('*') == std::string::npos;
}

}  // namespace

std::optional<WrongSignal> wrong_signal(const Autoscaler& a) {
  for (const ScalingMetric& m : a.metrics) {
    const Follows what = follows(m);
    if (what == Follows::kGpuActivity)
      return WrongSignal{shown(m),
                         never_fires(m)
                             ? "a ratio that never passes 1, so that it can never fire"
                             : "high as soon as any request runs, so that replicas are not given back",
                         m.target};
    if (what == Follows::kGpuMemory)
      return WrongSignal{shown(m), "an engine takes its memory at the start and keeps it, whatever the load",
                         m.target};
  }
  if (!a.metrics.empty() &&
      std::ranges::all_of(a.metrics, [](const ScalingMetric& m) { return follows(m) == Follows::kCpu; }))
    return WrongSignal{shown(a.metrics.front()),
                       "the GPU does the work, so that it says nothing of the queue",
                       a.metrics.front().target, true};
  return {};
}

std::vector<std::string> right_signal(const Autoscaler& a, std::string_view engine) {
  const EngineSeries& of = engine_series(engine);
  if (a.kind == "ScaledObject") {
    const std::string pods = fmt::format("namespace=\"{}\",pod=~\"{}-.*\"", a.meta.ns, a.target);
    return {
        "triggers:",
        "- type: prometheus",
        "  metadata:",
        "    serverAddress: http://prometheus-operated.monitoring.svc:9090",
        fmt::format("    query: sum({}) + sum({})", of.running.selector(pods), of.waiting.selector(pods)),
        "    threshold: \"32\"  # requests one replica holds at its SLO: etiage size MODEL --concurrency N"};
  }
  std::string name(of.waiting.metric);  // the custom metrics API takes no colon
  std::ranges::replace(name, ':', '_');
  return {
      fmt::format("kubectl -n {} patch hpa {} --type merge -p '{{\"spec\":{{\"metrics\":[{{\"type\":\"Pods\","
                  "\"pods\":{{\"metric\":{{\"name\":\"{}\"}},\"target\":{{\"type\":"
                  "\"AverageValue\",\"averageValue\":\"2\"}}}}}}]}}}}'",
                  a.meta.ns, a.meta.name, name),
      fmt::format("rules: [{{seriesQuery: '{0}', name: {{as: {1}}}, resources: {{overrides: {{namespace: "
                  "{{resource: namespace}}, pod: {{resource: pod}}}}}}, metricsQuery: "
                  "'sum(<<.Series>>{{{2}<<.LabelMatchers>>}}) by (<<.GroupBy>>)'}}]  # of prometheus-adapter",
                  of.waiting.selector("pod!=\"\""), name,
                  of.waiting.matcher.empty() ? "" : std::string(of.waiting.matcher) + ",")};
}

}  // namespace etiage::explain
