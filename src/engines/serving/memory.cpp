#include "engines/serving/memory.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/serving/parameters.h"

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

/// What weights, cache and the rest may take together.
double budget_gib(const MemoryBudget& b, Engine engine) {
  switch (engine) {
    case Engine::kVllm:
    case Engine::kLlamaCpp:
      return b.utilization * b.total_gib;
    case Engine::kSglang:
      return b.utilization * (b.total_gib - b.non_torch_gib);
    case Engine::kTensorRtLlm:
      return b.total_gib;
  }
  return 0;
}

/// GiB left for the cache once everything else has its place.
double cache_gib(const MemoryBudget& b, Engine engine) {
  switch (engine) {
    case Engine::kVllm:
    case Engine::kLlamaCpp:
      return b.budget_gib - b.weights_gib - b.non_torch_gib - b.activation_gib - b.cuda_graph_gib;
    case Engine::kSglang:
      return b.budget_gib - b.weights_gib;
    case Engine::kTensorRtLlm:
      return b.utilization * (b.total_gib - b.weights_gib - b.non_torch_gib - b.activation_gib);
  }
  return 0;
}

std::string why_not(const MemoryBudget& b, const Device& device) {
  if (b.weights_gib > b.budget_gib)
    return fmt::format("weights need {:.1f} GiB a GPU, {} allows {:.1f} of {:.1f} GiB", b.weights_gib,
                       device.name(), b.budget_gib, b.total_gib);
  if (b.kv_cache_gib <= 0)
    return fmt::format(
        "no room for a KV cache: {:.2f} GiB short after weights {:.1f}, activations {:.1f} and the rest",
        -b.kv_cache_gib, b.weights_gib, b.activation_gib);
  if (b.max_concurrency < 1)
    return fmt::format("the KV cache of {:.2f} GiB holds {} tokens, one request of max_model_len needs {}",
                       b.kv_cache_gib, b.kv_cache_tokens, b.max_model_len);
  return "";
}

/// Numbers a token of a layer with a recurrent state while it is prefilled in chunks of 64: in and out of the
/// convolution, the two factors of the chunk, values, gate and output, the chunk's states, and its triangular
/// matrix (32 bit) with its inverse.
double recurrent_numbers(const RecurrentShape& r) {
  const double keys = static_cast<double>(r.key_heads) * r.key_dim,
               values = static_cast<double>(r.heads) * r.value_dim;
  constexpr double kChunk = 64;
  return 2 * (2 * keys + values) + 5 * values + values * r.key_dim / kChunk + 3 * r.heads * kChunk;
}

std::int64_t length(const ModelSpec& m, const EngineSettings& s, std::int64_t wanted) {
  if (s.max_model_len) return *s.max_model_len;
  return wanted > 0 ? wanted : std::max<std::int64_t>(m.max_position, 1);
}

}  // namespace

double activation_bytes(const ModelSpec& m, const Parallelism& split, const EngineProfile& p) {
  const double tokens = static_cast<double>(p.max_batched_tokens), hidden = m.hidden;
  const double dense = m.dense_layers > 0 ? 3.0 * m.intermediate / split.tensor : 0;
  const double expert =
      m.moe ? m.moe->per_token * (expert_hidden(m) + 3.0 * m.moe->intermediate / (split.tensor * split.data))
            : 0;
  const double recurrent =
      m.recurrent && m.recurrent_layers > 0 ? recurrent_numbers(*m.recurrent) / split.tensor : 0;
  const double layer = tokens * 2 * (3 * hidden + std::max({dense, expert, recurrent}));
  const double sampler = static_cast<double>(p.max_num_seqs) * m.vocabulary * p.sampler_bytes_per_logit;
  return std::max(layer, sampler);
}

MemoryBudget memory_budget(const ModelSpec& m, const QuantizationScheme& scheme, const Device& device,
                           const Parallelism& split, const EngineSettings& settings,
                           std::int64_t wanted_len) {
  MemoryBudget b{.total_gib = device.memory_gib};
  b.max_model_len = length(m, settings, wanted_len);
  const bool hopper_or_newer = device.compute_capability >= 9;
  const GpuMemory gpu{device.memory_gib, !hopper_or_newer, device.link > device.pcie};
  const auto p = with_settings(engine_profile(settings.engine, gpu, b.max_model_len, split.tensor), settings);
  b.max_batched_tokens = p.max_batched_tokens;
  b.max_num_seqs = p.max_num_seqs;
  b.utilization = p.utilization;
  const auto padding = !hopper_or_newer ? Mxfp4Padding::kNone
                       : p.marlin_mxfp4 ? Mxfp4Padding::kMarlin
                                        : Mxfp4Padding::kTriton;
  b.weights_gib = sum(weights_per_gpu(m, scheme, split, padding)) / kGib;
  b.non_torch_gib = p.non_torch_gib;
  b.budget_gib = budget_gib(b, settings.engine.engine);
  b.activation_gib = activation_bytes(m, split, p) / kGib;
  b.cuda_graph_gib = cuda_graph_gib(m, p, settings);
  if (settings.own_weights_gib) b.weights_gib = *settings.own_weights_gib;
  if (settings.own_other_gib)
    b.activation_gib = *settings.own_other_gib, b.non_torch_gib = b.cuda_graph_gib = 0;
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
