#pragma once
// Start-up logs of vLLM and SGLang: what the engine printed about itself and its memory. Other lines are
// passed over.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etiage::formats {

/// One engine's start; GiB a GPU, of the rank that printed the least cache.
struct EngineStart {
  std::string engine = "vllm", engine_version, model, architecture;
  std::optional<int> tensor_parallel;
  std::optional<std::int64_t> max_model_len, max_batched_tokens, kv_cache_tokens, gpu_blocks;
  std::optional<double> utilization, total_gib, weights_gib, non_torch_gib, kv_cache_gib, cuda_graph_gib,
      max_concurrency;

  bool operator==(const EngineStart&) const = default;
};

/// The starts in the order of the log: a second "Initializing" or a second model loaded begins another one.
std::vector<EngineStart> read_engine_log(std::string_view text);

}  // namespace etiage::formats
