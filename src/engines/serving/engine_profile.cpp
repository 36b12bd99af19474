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
    *parts[part] = n;
    if (i >= text.size() || text[i] != '.') break;
    ++i;
  }
  return v;
}

/// Memory of one all-reduce setup and the kernels; 16 public start-up logs give 0.03 to 0.73 GiB.
double non_torch(int tensor) {
  return tensor > 1 ? 0.45 : 0.33;
}

EngineProfile vllm(const EngineVersion& v, const GpuMemory& gpu, std::int64_t max_model_len, int tensor) {
  EngineProfile p{.non_torch_gib = non_torch(tensor)};
  const bool large = gpu.total_gib >= 70 && !gpu.ampere_or_older;
  if (v.at_least(0, 8)) {  // V1: prefill always chunked
    p.max_batched_tokens = large ? 8192 : 2048;
    p.max_num_seqs = large && v.at_least(0, 9) ? 1024 : 256;
    p.hybrid_manager = v.at_least(0, 10);
    p.recurrent_pages = v.at_least(0, 20) ? 2 : 1;
  } else {  // V0: the profiling run is one prefill of the whole length unless that is above 32k
    const bool chunked = max_model_len > 32768;
    p.max_batched_tokens =
        chunked ? (v.at_least(0, 7) ? 2048 : 512) : std::max<std::int64_t>(max_model_len, 2048);
    p.hybrid_manager = false;
    p.sampler_bytes_per_logit = 39;
  }
  p.counts_cuda_graphs = v.at_least(0, 21);
  p.utilization = v.at_least(0, 22) ? 0.92 : 0.9;
  return p;
}

/// SGLang reserves for chunked prefill, graphs and communication; the rest is its static fraction.
EngineProfile sglang(const GpuMemory& gpu, int tensor) {
  EngineProfile p{.block_tokens = 1, .sampler_bytes_per_logit = 0, .non_torch_gib = 0.5};
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

}  // namespace

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "vllm";
    case Engine::kSglang:
      return "sglang";
    case Engine::kTensorRtLlm:
      return "trtllm";
  }
  return "vllm";
}

Result<EngineRef> parse_engine(std::string_view text) {
  const auto at = text.find('@');
  const auto name = letters(text.substr(0, at));
  EngineRef ref;
  if (at != std::string_view::npos) ref.version = parse_version(text.substr(at + 1));
  if (name == "vllm")
    ref.engine = Engine::kVllm;
  else if (name == "sglang")
    ref.engine = Engine::kSglang;
  else if (name == "trtllm" || name == "tensorrtllm" || name == "trt")
    ref.engine = Engine::kTensorRtLlm;
  else
    return failure("engine \"" + std::string(text) + "\" is not known", {},
                   "one of vllm, sglang, trtllm, with a version as in vllm@0.21.0");
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
  }
  return {};
}

}  // namespace etiage::serving
