#include "engines/serving/memory.h"

#include <algorithm>
#include <fmt/format.h>

namespace etiage::serving {
namespace {

constexpr double kGib = 1024.0 * 1024 * 1024;

/// Graphs hold a little of every captured batch size. From the estimates that vLLM 0.21 to 0.27 printed: 0.13
/// to 0.45 GiB.
double cuda_graph_gib(const ModelSpec& m, const EngineProfile& p, const EngineSettings& s) {
  if (!s.cuda_graphs || !p.counts_cuda_graphs) return 0;
  const double captured = std::min<double>(2.0 * static_cast<double>(p.max_num_seqs), 512);
  return 0.1 + 0.3 * captured / 512 * std::min(1.0, m.layers / 48.0);
}

EngineProfile with_settings(EngineProfile p, const EngineSettings& s) {
  p.max_num_seqs = s.max_num_seqs.value_or(p.max_num_seqs);
  p.max_batched_tokens = s.max_batched_tokens.value_or(p.max_batched_tokens);
  p.utilization = s.utilization.value_or(p.utilization);
  return p;
}

/// GiB left for the cache once everything else has its place.
double cache_gib(const MemoryBudget& b, Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return b.budget_gib - b.weights_gib - b.non_torch_gib - b.activation_gib - b.cuda_graph_gib;
    case Engine::kSglang:
      return b.budget_gib - b.weights_gib - b.non_torch_gib;
    case Engine::kTensorRtLlm:
      return b.utilization * (b.total_gib - b.weights_gib - b.non_torch_gib - b.activation_gib);
  }
  return 0;
}

std::string why_not(const MemoryBudget& b, const Device& device) {
  if (b.weights_gib > b.budget_gib)
    return fmt::format("weights need {:.1f} GiB a GPU, {} allows {:.1f} of {:.1f} GiB", b.weights_gib,
                       device.card, b.budget_gib, b.total_gib);
  if (b.kv_cache_gib <= 0)
    return fmt::format(
        "no room for a KV cache: {:.2f} GiB short after weights {:.1f}, activations {:.1f} and the rest",
        -b.kv_cache_gib, b.weights_gib, b.activation_gib);
  if (b.max_concurrency < 1)
    return fmt::format("the KV cache of {:.2f} GiB holds {} tokens, one request of max_model_len needs {}",
                       b.kv_cache_gib, b.kv_cache_tokens, b.max_model_len);
  return "";
}

std::int64_t length(const ModelSpec& m, const EngineSettings& s, std::int64_t wanted) {
  if (s.max_model_len) return *s.max_model_len;
  return wanted > 0 ? wanted : std::max<std::int64_t>(m.max_position, 1);
}

}  // namespace

double activation_bytes(const ModelSpec& m, const Parallelism& split, const EngineProfile& p) {
  const double tokens = static_cast<double>(p.max_batched_tokens), hidden = m.hidden;
  const double dense = 3.0 * m.intermediate / split.tensor;
  const double expert =
      m.moe ? m.moe->per_token * (hidden + 3.0 * m.moe->intermediate / (split.tensor * split.data)) : 0;
  const double layer = tokens * 2 * (3 * hidden + std::max(m.dense_layers > 0 ? dense : 0.0, expert));
  const double sampler = static_cast<double>(p.max_num_seqs) * m.vocabulary * p.sampler_bytes_per_logit;
  return std::max(layer, sampler);
}

MemoryBudget memory_budget(const ModelSpec& m, const QuantizationScheme& scheme, const Device& device,
                           const Parallelism& split, const EngineSettings& settings,
                           std::int64_t wanted_len) {
  MemoryBudget b{.total_gib = device.memory_gib};
  b.max_model_len = length(m, settings, wanted_len);
  const GpuMemory gpu{device.memory_gib, device.compute_capability < 9};
  const auto p = with_settings(engine_profile(settings.engine, gpu, b.max_model_len, split.tensor), settings);
  b.max_batched_tokens = p.max_batched_tokens;
  b.max_num_seqs = p.max_num_seqs;
  b.utilization = p.utilization;
  b.budget_gib =
      settings.engine.engine == Engine::kTensorRtLlm ? device.memory_gib : p.utilization * device.memory_gib;
  b.weights_gib = sum(weights_per_gpu(m, scheme, split, device.compute_capability >= 9)) / kGib;
  b.non_torch_gib = p.non_torch_gib;
  b.activation_gib = activation_bytes(m, split, p) / kGib;
  b.cuda_graph_gib = cuda_graph_gib(m, p, settings);
  b.kv_cache_gib = cache_gib(b, settings.engine.engine);
  b.kv = settings.kv.value_or(scheme.kv);
  b.layout =
      kv_layout(m, b.kv, split, {p.block_tokens, p.hybrid_manager, p.recurrent_pages, p.max_batched_tokens});
  b.kv_bytes_per_token = b.layout.bytes_per_token;
  const double per_rank = max_concurrency(b.layout, b.kv_cache_gib * kGib, b.max_model_len);
  const bool plain = b.layout.full_groups == 1 && b.layout.window_groups + b.layout.recurrent_groups == 0;
  b.kv_cache_tokens = plain ? blocks_in(b.layout, b.kv_cache_gib * kGib) * b.layout.block_tokens
                            : static_cast<std::int64_t>(per_rank * static_cast<double>(b.max_model_len));
  b.max_concurrency = per_rank;  // of one data-parallel rank: a request lies in one rank
  b.reason = why_not(b, device);
  b.fits = b.reason.empty();
  b.max_concurrency *= split.data;
  return b;
}

}  // namespace etiage::serving
