#include "engines/serving/engine_profile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace etiage::serving {
namespace {

std::string letters(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

EngineVersion parse_version(std::string_view text) {
  EngineVersion v;
  if (!text.empty() && (text.front() == 'v' || text.front() == 'V')) text.remove_prefix(1);
  v.text = std::string(text);
  std::array<int*, 3> parts{&v.major, &v.minor, &v.patch};
  for (std::size_t i = 0, part = 0; i < text.size() && part < 3; ++part) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) break;
    int n = 0;
    for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) && n < 1'000'000; ++i)
      n = n * 10 + (text[i] - '0');
    if (part > 0 && i < text.size() && text[i] == 'x') n *= 10, ++i;  // 0.2x: from 0.20 on
    *parts[part] = n;
    if (i >= text.size() || text[i] != '.') break;
    ++i;
  }
  return v;
}

/// What a start-up counts beside torch's own memory, as logs of each version print it. Before 0.7 and from
/// 0.8 to 0.9.1 the process's CUDA context is in it. NVLink peers add the buffers of their all-reduce, about
/// a GiB with each doubling of the ranks.
double vllm_non_torch(const EngineVersion& v, const GpuMemory& gpu, int tensor) {
  const double doublings = std::log2(tensor);
  if (v.at_least(0, 8)) {
    const bool lean = v.at_least(0, 17), context = !v.at_least(0, 9, 2);
    const double alone = v.at_least(0, 24) ? 0.33 : lean ? 0.2 : context ? 0.55 : 0.05;
    if (tensor == 1) return alone;
    if (!gpu.linked) return alone + 0.2;
    return lean ? 0.5 + 0.5 * doublings : (context ? 0.87 : 0.37) + 1.01 * doublings;
  }
  if (v.at_least(0, 7)) return tensor == 1 ? 0.05 : gpu.linked ? 0.37 + 1.01 * doublings : 0.3;
  if (v.at_least(0, 6, 5) && gpu.total_gib >= 70) return 1.79 * (1 + doublings);
  return tensor == 1 && gpu.total_gib < 40 ? 0.35 : 0.73;
}

/// Sorting all logits for top-k and top-p in torch takes 39 bytes a logit; the kernels of 0.17 and later do
/// not sort.
double vllm_sampler(const EngineVersion& v) {
  return v.at_least(0, 17) ? 15.5 : 39;
}

EngineProfile vllm(const EngineVersion& v, const GpuMemory& gpu, std::int64_t max_model_len, int tensor) {
  EngineProfile p{.sampler_bytes_per_logit = vllm_sampler(v),
                  .non_torch_gib = vllm_non_torch(v, gpu, tensor)};
  const bool large = gpu.total_gib >= 70 && !gpu.ampere_or_older;
  if (v.at_least(0, 8)) {  // V1: prefill always chunked
    p.max_batched_tokens = large ? 8192 : 2048;
    p.max_num_seqs = large && v.at_least(0, 8, 3) ? 1024 : 256;
    p.hybrid_manager = v.at_least(0, 10);
    p.recurrent_pages = v.at_least(0, 20) ? 2 : 1;
  } else {  // V0: the profiling run is one prefill of the whole length unless that is above 32k
    const bool chunked = max_model_len > 32768 && v.at_least(0, 5, 4);
    p.max_batched_tokens =
        chunked ? (v.at_least(0, 7) ? 2048 : 512) : std::max<std::int64_t>(max_model_len, 2048);
    p.hybrid_manager = false;
  }
  p.counts_cuda_graphs = v.at_least(0, 21);
  p.utilization = v.at_least(0, 22) ? 0.92 : 0.9;
  p.marlin_mxfp4 = !v.at_least(0, 12);
  return p;
}

/// SGLang reserves for chunked prefill, graphs and communication; the rest is its static fraction, of what is
/// free once the ranks are joined.
EngineProfile sglang(const GpuMemory& gpu, int tensor) {
  const double joined = tensor == 1 ? 0.6 : gpu.linked ? 0.4 + 0.9 * std::log2(tensor) : 0.8;
  EngineProfile p{.block_tokens = 1, .sampler_bytes_per_logit = 0, .non_torch_gib = joined};
  const double gib = gpu.total_gib;
  const std::int64_t chunk = gib < 35 ? 2048 : gib < 60 ? 4096 : gib < 160 ? 8192 : 16384;
  const std::int64_t graph_batch = gib < 35 ? 8 : gib < 90 ? (tensor < 4 ? 256 : 512) : 512;
  double reserved_mib = 512 + 1.5 * static_cast<double>(std::max<std::int64_t>(chunk, 2048)) +
                        2.0 * static_cast<double>(graph_batch) + tensor / 8.0 * 1024;
  if (gib > 60) reserved_mib = std::max(reserved_mib, 10.0 * 1024);
  p.utilization = gib <= 0 ? 0.88 : std::round((gib - reserved_mib / 1024) / gib * 1000) / 1000;
  p.max_batched_tokens = chunk;
  p.max_num_seqs = graph_batch;
  return p;
}

/// llama.cpp fits itself into all memory but one GiB, steps 512 tokens at once, and divides its context among
/// four slots.
EngineProfile llama_cpp(const GpuMemory& gpu) {
  return {.utilization = gpu.total_gib > 1 ? (gpu.total_gib - 1) / gpu.total_gib : 0.5,
          .max_batched_tokens = 512,
          .max_num_seqs = 4,
          .block_tokens = 256,
          .sampler_bytes_per_logit = 4,
          .non_torch_gib = 0.3};
}

}  // namespace

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "vllm";
    case Engine::kSglang:
      return "sglang";
    case Engine::kTensorRtLlm:
      return "trtllm";
    case Engine::kLlamaCpp:
      return "llama.cpp";
  }
  return "vllm";
}

Result<EngineRef> parse_engine(std::string_view text) {
  const auto at = text.find_first_of("@=: /");
  const auto name = letters(text.substr(0, at));
  EngineRef ref;
  if (at != std::string_view::npos)
    ref.version = parse_version(text.substr(std::min(text.find_first_not_of("@=: /", at), text.size())));
  if (name == "vllm")
    ref.engine = Engine::kVllm;
  else if (name == "sglang")
    ref.engine = Engine::kSglang;
  else if (name == "trtllm" || name == "tensorrtllm" || name == "trt")
    ref.engine = Engine::kTensorRtLlm;
  else if (name == "llamacpp" || name == "llamaserver")
    ref.engine = Engine::kLlamaCpp;
  else
    return failure("engine \"" + std::string(text) + "\" is not known", {},
                   "one of vllm, sglang, trtllm, llama.cpp, with a version as in vllm@0.21.0");
  return ref;
}

EngineVersion assumed_version(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return parse_version("0.21.0");
    case Engine::kSglang:
      return parse_version("0.5.9");
    case Engine::kTensorRtLlm:
      return parse_version("1.2.0");
    case Engine::kLlamaCpp:
      return parse_version("b8000");
  }
  return {};
}

EngineProfile engine_profile(const EngineRef& engine, const GpuMemory& gpu, std::int64_t max_model_len,
                             int tensor) {
  switch (engine.engine) {
    case Engine::kVllm:
      return vllm(engine.version.known() ? engine.version : assumed_version(Engine::kVllm), gpu,
                  max_model_len, tensor);
    case Engine::kSglang:
      return sglang(gpu, tensor);
    case Engine::kTensorRtLlm:
      return {.block_tokens = 32, .sampler_bytes_per_logit = 4, .non_torch_gib = 0.5};
    case Engine::kLlamaCpp:
      return llama_cpp(gpu);
  }
  return {};
}

}  // namespace etiage::serving
