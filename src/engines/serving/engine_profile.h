#pragma once
// What each engine, version by version, does by default with a GPU's memory.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "base/result.h"

namespace etiage::serving {

enum class Engine : std::uint8_t { kVllm, kSglang, kTensorRtLlm, kLlamaCpp };

std::string_view to_string(Engine engine);

/// Major, minor, patch; a tag such as `rc6.post2` or `nightly` is kept as text and takes no part in the
/// order.
struct EngineVersion {
  int major = 0, minor = 0, patch = 0;
  std::string text;  ///< as given, empty: not said

  bool known() const { return !text.empty() && (major != 0 || minor != 0 || patch != 0); }
  bool at_least(int want_major, int want_minor, int want_patch = 0) const {
    return std::tuple(major, minor, patch) >= std::tuple(want_major, want_minor, want_patch);
  }
  bool operator==(const EngineVersion&) const = default;
};

struct EngineRef {
  Engine engine = Engine::kVllm;
  EngineVersion version;

  bool operator==(const EngineRef&) const = default;
};

/// `vllm`, `vllm@0.21.0`, `vllm==0.21.0`, `vllm 0.2x`, `trtllm@1.2.0rc6`, `TensorRT-LLM`, `sglang@v0.5.9`.
Result<EngineRef> parse_engine(std::string_view text);

/// The version that is assumed where none is given, and that the profile below describes.
EngineVersion assumed_version(Engine engine);

/// A GPU as far as an engine's defaults depend on it.
struct GpuMemory {
  double total_gib = 0;  ///< as the driver shows it
  bool ampere_or_older = false;
  bool linked = false;  ///< to its peers by more than PCIe
};

/// Defaults; `max_model_len` and `tensor` decide some of them.
struct EngineProfile {
  double utilization = 0.9;  ///< share of the GPU (vLLM, llama.cpp), static share (SGLang), share of what is
                             ///< free after loading (TensorRT-LLM)
  std::int64_t max_batched_tokens = 8192;
  std::int64_t max_num_seqs = 256;
  int block_tokens = 16;
  bool hybrid_manager = true;
  bool counts_cuda_graphs = false;
  int recurrent_pages = 1;
  double sampler_bytes_per_logit = 0;  ///< scratch of the profiling run, of max_num_seqs x vocabulary logits
  double non_torch_gib = 0.05;         ///< communication buffers and kernels' own memory, heaviest rank
  bool marlin_mxfp4 = false;           ///< MXFP4 experts are repacked and padded in both widths

  bool operator==(const EngineProfile&) const = default;
};

EngineProfile engine_profile(const EngineRef& engine, const GpuMemory& gpu, std::int64_t max_model_len,
                             int tensor);

}  // namespace etiage::serving
