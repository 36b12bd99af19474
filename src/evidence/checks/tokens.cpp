// What engines' counters can carry.

#include <fmt/format.h>
#include <map>
#include <set>

#include "base/counted.h"
#include "catalog/renamed_metrics.h"
#include "evidence/checks/checks.h"

namespace etiage::evidence {

void check_tokens_missing(Draft& draft) {
  std::vector<std::string> subjects;
  std::set<PodId> holders;
  for (const Holding& h : draft.out.holdings) holders.insert(h.pod);
  for (PodId id : holders) {
    const PodLife& pod = draft.pod(id);
    const bool trains = pod.workload_kind.ends_with("Job");  // its --model is what it learns from
    if (pod.model.valid() && pod.leader && !pod.counts_tokens && !trains) subjects.push_back(name_of(pod));
  }
  if (!subjects.empty() && !draft.out.window.empty())
    draft.check({"tokens-missing", Severity::kWarning,
                 counted(subjects.size(), "pod serves a model and exports no token counters",
                         "pods serve a model and export no token counters"),
                 "the cost of a million tokens is not known of them, and coverage falls",
                 "PodMonitor: {selector: {matchLabels: {app: APP}}, podMetricsEndpoints: [{port: http, path: "
                 "/metrics}]}; trtllm-serve has no token counter: give the gateway's log",
                 unique(std::move(subjects))});
}

void check_resets(Draft& draft) {
  const double days = draft.out.window.length().as_hours() / 24;
  std::vector<std::string> subjects;
  for (std::uint32_t i = 0; i < draft.out.pods.size() && i < draft.engines.size(); ++i)
    if (draft.engines[i].resets > 3 && draft.engines[i].resets > 2 * days)
      subjects.push_back(name_of(draft.out.pods[i]) + ": " + std::to_string(draft.engines[i].resets));
  if (!subjects.empty())
    draft.check(
        {"counter-resets", Severity::kWarning, "token counters begin anew often",
         "tokens between the last sample and each restart are lost, so that a token looks dearer",
         "kubectl describe pod  # Last State: out of memory, failed probes? behind one Service several "
         "processes take turns: scrape each pod (PodMonitor), and set PROMETHEUS_MULTIPROC_DIR where a "
         "pod has several API servers",
         std::move(subjects)});
}

void check_disaggregated(Draft& draft) {
  double twice = 0;
  for (std::size_t i = 0; i < draft.engines.size(); ++i)
    for (const auto& [name, c] : draft.engines[i].models) {
      const auto role = draft.out.pods[i].labels.find("llm-d.ai/role");
      const bool decodes =
          draft.engines[i].decodes || (role != draft.out.pods[i].labels.end() && role->second == "decode");
      twice += decodes && !c.by_source() ? c.prompt.total() : c.transferred.total();
    }
  if (twice > 0)
    draft.check(
        {"disaggregated-prompts",
         Severity::kInfo,
         "decode pods count prompts that prefill pods have counted already (" +
             std::to_string(static_cast<std::int64_t>(twice)) + " tokens)",
         "counted once here; sums of vllm:prompt_tokens_total are too high, and a token looks too cheap",
         "sum only vllm:prompt_tokens_by_source_total{source=\"local_compute\"}",
         {}});
}

void check_sampling(Draft& draft) {
  std::map<std::string, std::pair<double, double>> of;  // sum and count, by model
  for (const Series& s : draft.sources.series.all()) {
    if (s.meaning.role != Role::kSamplingSum && s.meaning.role != Role::kSamplingCount) continue;
    const auto samples = s.samples();
    if (samples.empty()) continue;
    auto& [sum, count] = of[std::string(s.label("model_name"))];
    (s.meaning.role == Role::kSamplingSum ? sum : count) += samples.back().value;
  }
  std::vector<std::string> subjects;
  for (const auto& [model, n] : of)
    if (n.second > 0 && n.first > 1.05 * n.second) subjects.push_back(model);
  if (!subjects.empty())
    draft.check(
        {"several-samples", Severity::kWarning, "requests ask for several answers (n > 1)",
         "vLLM before 0.28 counts their prompt once for each answer, though it is computed once: input "
         "tokens look too many and too cheap",
         "sum only vllm:prompt_tokens_by_source_total{source=\"local_compute\"}, or update the engine",
         std::move(subjects)});
}

void check_prefix_cache(Draft& draft) {
  std::set<std::string> cached, by_source;
  for (const Series& s : draft.sources.series.all()) {
    const std::string model(s.label("model_name"));
    if (s.meaning.role == Role::kPrefixCache) cached.insert(model);
    if (s.meaning.role >= Role::kComputedPromptTokens && s.meaning.role <= Role::kTransferredPromptTokens)
      by_source.insert(model);
  }
  std::vector<std::string> subjects;
  for (const std::string& model : cached)
    if (!by_source.contains(model)) subjects.push_back(model);
  if (!subjects.empty())
    draft.check(
        {"prefix-cache-counters", Severity::kInfo,
         "cached prompt tokens are known only from the prefix cache's own counters",
         "not used for money: vLLM before July 2026 counts requests that waited or were preempted again",
         "update vLLM to a release with vllm:prompt_tokens_by_source_total (February 2026 or later)",
         std::move(subjects)});
}

void check_renamed(Draft& draft) {
  std::map<std::string, std::string> instead;
  for (const Series& s : draft.sources.series.all()) {
    if (s.meaning.role != Role::kRenamed) continue;
    if (const auto* renamed = catalog::renamed_metric(own_name(s.label("__name__"))))
      instead.emplace(renamed->metric, renamed->instead);
  }
  if (instead.empty()) return;
  std::vector<std::string> subjects;
  std::string fix;
  for (const auto& [old, now] : instead) {
    subjects.push_back(old);
    fix += fmt::format("{}{} -> {}", fix.empty() ? "" : "\n", old, now);
  }
  draft.check({"engine-metrics-renamed", Severity::kInfo,
               "engines export metrics that later releases have renamed or dropped",
               "none here; dashboards, alerts and autoscalers that ask for them fall silent with an update",
               std::move(fix), std::move(subjects)});
}

void check_counted_at_finish(Draft& draft) {
  std::set<std::string_view> engines;
  for (const Series& s : draft.sources.series.all())
    if (s.meaning.role == Role::kOutputTokens &&
        (s.meaning.dialect == "SGLang" || s.meaning.dialect == "TGI" || s.meaning.dialect == "TensorRT-LLM"))
      engines.insert(s.meaning.dialect);
  if (!engines.empty())
    draft.check({"tokens-at-finish",
                 Severity::kInfo,
                 "tokens are counted when a request finishes",
                 "those of long requests fall into a later hour, and those of aborted ones are not counted",
                 "compare windows of many hours",
                 {engines.begin(), engines.end()}});
}

}  // namespace etiage::evidence
