// What is left of the rows that a monitor scrapes: labels, metrics, moments.

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "base/ascii.h"
#include "explain/doctor/monitors.h"
#include "explain/doctor/relabeling.h"
#include "explain/waste/engine_series.h"

namespace etiage::explain {
namespace {

/// A patch of one endpoint.
std::string patch(const ScrapeMonitor& m, std::size_t endpoint, std::string_view path,
                  std::string_view value) {
  return fmt::format(
      "kubectl -n {} patch {} {} --type json -p "
      "'[{{\"op\":\"add\",\"path\":\"/spec/{}/{}/{}\",\"value\":{}}}]'",
      m.meta.ns, lower_case(m.kind), m.meta.name, by_pods(m) ? "podMetricsEndpoints" : "endpoints", endpoint,
      path, value);
}

struct Wanted {
  std::string_view origin;
  std::span<const std::string_view> labels;  ///< any of them, with a value of that origin
  Severity severity;
  std::string_view effect;
};

constexpr std::string_view kUuid[] = {"UUID", "uuid"}, kInstance[] = {"GPU_I_ID"},
                           kHost[] = {"Hostname", "hostname", "node", "kubernetes_node", "node_name"},
                           kPod[] = {"exported_pod", "pod", "pod_name"},
                           kNamespace[] = {"exported_namespace", "namespace", "pod_namespace"},
                           kModel[] = {"model_name"}, kSource[] = {"source"};

constexpr auto kDcgmLabels = std::to_array<Wanted>({
    {"card", kUuid, Severity::kError,
     "cards of a node are one to every reader, and all but one sample are lost"},
    {"instance", kInstance, Severity::kError, "MIG instances of a card are one to every reader"},
    {"host", kHost, Severity::kWarning, "rows name no node: who pays for it is taken from their pods"},
    {"workload's pod", kPod, Severity::kWarning, "who holds which device is taken from requests"},
    {"workload's namespace", kNamespace, Severity::kWarning, "pods of one name in two namespaces are one"},
});
constexpr auto kEngineLabels = std::to_array<Wanted>({
    {"pod", kPod, Severity::kWarning, "tokens find no pod, and so no money"},
    {"namespace", kNamespace, Severity::kWarning, "tokens of pods of one name in two namespaces are mixed"},
    {"model", kModel, Severity::kWarning, "models are called by their command line, and adapters are mixed"},
    {"source", kSource, Severity::kWarning, "cached and computed prompt tokens are not told apart"},
});

LabelOrigins target_labels() {
  return {{"namespace", "namespace"},
          {"pod", "pod"},
          {"container", "container"},
          {"service", "service"},
          {"job", "job"},
          {"instance", "address"},
          {"endpoint", "port"},
          {"__meta_kubernetes_pod_node_name", "host"}};
}

LabelOrigins row_labels(Scraped what) {
  if (what == Scraped::kEngine)
    return {{"__name__", "metric"}, {"model_name", "model"}, {"source", "source"}, {"engine", "engine"}};
  return {{"__name__", "metric"},
          {"UUID", "card"},
          {"gpu", "index"},
          {"Hostname", "host"},
          {"GPU_I_ID", "instance"},
          {"GPU_I_PROFILE", "profile"},
          {"pod", "workload's pod"},
          {"namespace", "workload's namespace"},
          {"container", "workload's container"}};
}

bool is_left(const LabelOrigins& labels, const Wanted& wanted) {
  return std::ranges::any_of(wanted.labels, [&](std::string_view name) {
    const auto it = labels.find(name);
    return it != labels.end() && it->second == wanted.origin;
  });
}

void check_labels(const ScrapeMonitor& m, Scraped what, std::vector<Check>& out) {
  if (what != Scraped::kDcgm && what != Scraped::kEngine) return;
  const std::span<const Wanted> wanted =
      what == Scraped::kDcgm ? std::span<const Wanted>(kDcgmLabels) : std::span<const Wanted>(kEngineLabels);
  for (const ScrapeEndpoint& e : m.endpoints) {
    const auto left = scraped_labels(target_labels(), row_labels(what), e);
    std::vector<std::string> lost, effects;
    Severity severity = Severity::kWarning;
    for (const Wanted& w : wanted) {
      if (is_left(left, w)) continue;
      lost.emplace_back(w.labels.front());
      effects.emplace_back(w.effect);
      severity = std::max(severity, w.severity);
    }
    if (!left.contains("__name__"))
      lost.emplace_back("__name__"), effects.emplace_back("nothing at all is kept"),
          severity = Severity::kError;
    if (!lost.empty())
      out.push_back(
          {"monitor-drops-labels",
           severity,
           fmt::format("relabelings of {} lose {}", named(m), fmt::join(lost, ", ")),
           fmt::format("{}", fmt::join(effects, "; ")),
           fmt::format("take {} out of its labeldrop, labelkeep or replace (kubectl -n {} edit {} {})",
                       fmt::join(lost, ", "), m.meta.ns, lower_case(m.kind), m.meta.name),
           {named(m)}});
  }
}

std::vector<std::string_view> wanted_metrics(Scraped what, const ScrapeMonitor& m, const Scene& scene) {
  if (what == Scraped::kDcgm)
    return {"DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_FB_USED",
            "DCGM_FI_DEV_FB_FREE"};
  if (what == Scraped::kKubeState)
    return {"kube_pod_info",         "kube_pod_status_phase",
            "kube_node_info",        "kube_pod_container_resource_requests",
            "kube_pod_status_ready", "kube_node_status_allocatable"};
  std::string engine;
  for (const PodLife* pod : servers(scene))
    if (!pod->engine.empty() && reaches(m, scene, pod->ns, pod->labels)) engine = pod->engine;
  if (!engine.empty() && engine != "vLLM") {
    const EngineSeries& series = engine_series(engine);
    return {series.output_tokens.metric, series.running.metric, series.waiting.metric};
  }
  if (engine.empty() && !speaks_of(m, "vllm")) return {};
  return {"vllm:prompt_tokens_total",
          "vllm:generation_tokens_total",
          "vllm:request_prefill_time_seconds_sum",
          "vllm:request_decode_time_seconds_sum",
          "vllm:num_requests_running",
          "vllm:num_requests_waiting"};
}

void check_metrics(const ScrapeMonitor& m, Scraped what, const Scene& scene, std::vector<Check>& out) {
  if (what == Scraped::kOther) return;
  for (const ScrapeEndpoint& e : m.endpoints) {
    std::vector<std::string_view> lost;
    for (std::string_view metric : wanted_metrics(what, m, scene))
      if (drops_metric(e, metric)) lost.push_back(metric);
    if (!lost.empty())
      out.push_back(
          {"monitor-drops-metrics",
           Severity::kWarning,
           fmt::format("metricRelabelings of {} drop {}", named(m), fmt::join(lost, ", ")),
           "what they tell is not known: see the checks of signals and tokens",
           fmt::format("keep them: {{action: keep, sourceLabels: [__name__], regex: ({}|...)}}, or take "
                       "them out of the drop",
                       fmt::join(lost, "|")),
           {named(m)}});
  }
}

void check_honor(const ScrapeMonitor& m, Scraped what, std::vector<Check>& out) {
  if (what != Scraped::kDcgm) return;
  for (std::size_t i = 0; i < m.endpoints.size(); ++i) {
    const auto labels = scraped_labels(target_labels(), row_labels(what), m.endpoints[i]);
    const auto pod = labels.find("pod");
    if (pod == labels.end() || pod->second == "workload's pod") continue;
    out.push_back(
        {"monitor-honor-labels",
         Severity::kInfo,
         fmt::format("{} does not honor the exporter's labels", named(m)),
         "workloads are named exported_pod, read as meant here; OpenCost and most dashboards take the "
         "exporter for them",
         patch(m, i, "honorLabels", "true") + "  # Helm: serviceMonitor.honorLabels=true",
         {named(m)}});
  }
}

void check_intervals(const ScrapeMonitor& m, Scraped what, std::vector<Check>& out) {
  for (std::size_t i = 0; i < m.endpoints.size(); ++i) {
    const ScrapeEndpoint& e = m.endpoints[i];
    if (e.interval && e.timeout && *e.timeout > *e.interval)
      out.push_back({"monitor-interval",
                     Severity::kError,
                     fmt::format("{}: scrapeTimeout {} is longer than interval {}", named(m),
                                 to_string(*e.timeout), to_string(*e.interval)),
                     "the operator refuses the monitor: nothing of it is scraped",
                     patch(m, i, "scrapeTimeout", '"' + to_string(*e.interval) + '"'),
                     {named(m)}});
    if (what == Scraped::kOther || !e.interval || *e.interval < Duration::seconds(120)) continue;
    const bool stale = *e.interval > Duration::seconds(300);
    out.push_back({"monitor-interval",
                   stale ? Severity::kWarning : Severity::kInfo,
                   fmt::format("{} scrapes only every {}", named(m), to_string(*e.interval)),
                   stale
                       ? "PromQL shows holes (a sample is stale after 5 minutes), and pods that live shorter "
                         "leave no row"
                       : "peaks between samples are not seen",
                   patch(m, i, "interval", "\"15s\""),
                   {named(m)}});
  }
}

}  // namespace

void check_rows(const ScrapeMonitor& m, Scraped what, const Scene& scene, std::vector<Check>& out) {
  check_labels(m, what, out);
  check_metrics(m, what, scene, out);
  check_honor(m, what, out);
  check_intervals(m, what, out);
}

}  // namespace etiage::explain
