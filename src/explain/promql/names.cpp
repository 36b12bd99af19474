// Faults that lie in single words: rates of gauges, metrics that nobody exports, joins that match nothing.

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "catalog/renamed_metrics.h"
#include "explain/promql/rules.h"

namespace etiage::explain::promql {
namespace {

struct Renamed {
  std::string_view wrong, right;
};

// What articles write, and what is exported: OpenCost's price gauges, kube-state-metrics and DCGM.
constexpr std::array kRenamed{
    Renamed{"node_hourly_cost",
            "node_total_hourly_cost, or node_gpu_hourly_cost for the GPU part (OpenCost; "
            "joined on node)"},
    Renamed{"node_gpu_memory_total",
            "DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE + DCGM_FI_DEV_FB_RESERVED (MiB)"},
    Renamed{"gpu_hourly_cost", "node_gpu_hourly_cost (OpenCost)"},
};

std::string right_name(const std::string& metric) {
  for (const Renamed& r : kRenamed)
    if (metric == r.wrong) return std::string(r.right);
  for (std::string_view engine : {"vllm", "sglang"})
    if (metric.starts_with(std::string(engine) + "_"))
      return fmt::format("{}:{}", engine, metric.substr(engine.size() + 1));
  return "";
}

bool of_dcgm(const std::string& metric) {
  return metric.starts_with("DCGM_");
}
bool of_others(const std::string& metric) {
  return !metric.starts_with("DCGM_");
}

}  // namespace

Faults rate_of_gauge(const Expr& e, const Records&) {
  Faults out;
  each(e, [&](const Expr& inner) {
    if (!is_rate(inner)) return;
    for (const std::string& m : metrics(inner))
      if (is_gauge(m))
        out.push_back({"promql-rate-of-gauge",
                       Severity::kError,
                       fmt::format("{}() of {}, a gauge", inner.name, m),
                       "0 while it stays, and each fall counts as a counter's reset",
                       fmt::format("avg_over_time({}[1h])", m),
                       {}});
  });
  return out;
}

Faults unknown_metric(const Expr& e, const Records& records) {
  Faults out;
  for (const std::string& m : metrics(e)) {
    const std::string right = records.contains(m) ? "" : right_name(m);
    if (!right.empty())
      out.push_back({"promql-unknown-metric",
                     Severity::kWarning,
                     fmt::format("no exporter publishes {}", m),
                     "the expression is empty, unless a rule or a relabeling of yours makes that name",
                     fmt::format("{} -> {}", m, right),
                     {}});
  }
  return out;
}

Faults renamed_metric(const Expr& e, const Records& records) {
  Faults out;
  for (const std::string& m : metrics(e))
    if (const auto* renamed = records.contains(m) ? nullptr : catalog::renamed_metric(m))
      out.push_back({"promql-renamed-metric",
                     Severity::kWarning,
                     fmt::format("{} is of old releases of {}", m, renamed->dialect),
                     "the expression is empty where a later release runs",
                     fmt::format("{} -> {}", renamed->metric, renamed->instead),
                     {}});
  return out;
}

Faults join_on_instance(const Expr& e, const Records&) {
  const auto joined = [](const Expr& i) {
    return i.kind == Expr::Kind::kBinary && i.grouping == "on" && has_label(i, {"instance"}) &&
           ((reads(i.args[0], of_dcgm) && reads(i.args[1], of_others)) ||
            (reads(i.args[0], of_others) && reads(i.args[1], of_dcgm)));
  };
  if (!any(e, joined)) return {};
  return {
      {"promql-join-on-instance",
       Severity::kError,
       "rows of the GPU exporter are joined with others on instance",
       "its instance is the exporter pod's own address and port, so that nothing matches",
       "join on the node: label_replace(DCGM_METRIC, \"node\", \"$1\", \"Hostname\", \"(.+)\") * on (node) "
       "group_left () NODE_METRIC; or relabel on the ServiceMonitor: {sourceLabels: "
       "[__meta_kubernetes_pod_node_name], targetLabel: node}",
       {}}};
}

Faults gpu_util(const Expr& e, const Records&) {
  for (const std::string& m : metrics(e))
    if (m.find("GPU_UTIL") != std::string::npos)
      return {{"promql-gpu-util",
               Severity::kInfo,
               m + " says only that some kernel ran, and is absent or 0 on MIG instances",
               "cards look busier than they are, and MIG instances idle",
               "DCGM_FI_PROF_GR_ENGINE_ACTIVE, which the exporter has by default; or DCGM_FI_PROF_SM_ACTIVE",
               {}}};
  return {};
}

}  // namespace etiage::explain::promql
