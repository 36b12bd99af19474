// Sources: vLLM's docs/usage/metrics (0.4 to 0.28: V0's gauges went with that engine, gpu_cache_usage_perc
// was deprecated in 0.9), SGLang's metrics collector, the server README of llama.cpp; real scrapes of old
// releases.

#include "catalog/renamed_metrics.h"

#include <algorithm>
#include <array>

namespace etiage::catalog {
namespace {

constexpr auto kRenamed = std::to_array<RenamedMetric>({
    {"vllm:gpu_prefix_cache_hit_rate", "vLLM",
     "sum by (model_name) (rate(vllm:prompt_tokens_by_source_total{source=\"local_cache_hit\"}[5m])) / "
     "sum by (model_name) (rate(vllm:prompt_tokens_by_source_total[5m]))"},
    {"vllm:cpu_prefix_cache_hit_rate", "vLLM",
     "sum by (model_name) (rate(vllm:prompt_tokens_by_source_total{source=\"external_kv_transfer\"}[5m])) / "
     "sum by (model_name) (rate(vllm:prompt_tokens_by_source_total[5m]))"},
    {"vllm:gpu_cache_usage_perc", "vLLM", "vllm:kv_cache_usage_perc"},
    {"vllm:cpu_cache_usage_perc", "vLLM", "vllm:kv_cache_usage_perc"},
    {"vllm:num_requests_swapped", "vLLM", "rate(vllm:num_preemptions_total[5m])"},
    {"vllm:avg_prompt_throughput_toks_per_s", "vLLM", "rate(vllm:prompt_tokens_total[5m])"},
    {"vllm:avg_generation_throughput_toks_per_s", "vLLM", "rate(vllm:generation_tokens_total[5m])"},
    {"vllm:time_in_queue_requests", "vLLM", "vllm:request_queue_time_seconds"},
    {"vllm:time_per_output_token_seconds", "vLLM", "vllm:inter_token_latency_seconds"},
    {"sglang:time_per_output_token_seconds", "SGLang", "sglang:inter_token_latency_seconds"},
    {"llamacpp:kv_cache_usage_ratio", "llama.cpp", "llamacpp:n_tokens_max"},
    {"llamacpp:kv_cache_tokens", "llama.cpp", "llamacpp:n_tokens_max"},
});

}  // namespace

std::span<const RenamedMetric> renamed_metrics() {
  return kRenamed;
}

const RenamedMetric* renamed_metric(std::string_view metric) {
  for (std::string_view ending : {"_sum", "_count", "_bucket"})
    if (metric.ends_with(ending)) metric.remove_suffix(ending.size());
  const auto found = std::ranges::find(kRenamed, metric, &RenamedMetric::metric);
  return found == kRenamed.end() ? nullptr : &*found;
}

}  // namespace etiage::catalog
