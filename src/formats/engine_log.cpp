#include "formats/engine_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace etiage::formats {
namespace {

/// The number right behind `mark` (commas of thousands allowed), or nothing.
std::optional<double> number_after(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  std::string digits;
  for (std::size_t i = at + mark.size(); i < line.size() && digits.size() < 32; ++i) {
    const char c = line[i];
    if (c == ',' && i + 1 < line.size() && line[i + 1] >= '0' && line[i + 1] <= '9') continue;
    if ((c < '0' || c > '9') && c != '.' && !(c == '-' && digits.empty())) break;
    digits += c;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

/// What stands between `mark` and the next `end`.
std::string text_after(std::string_view line, std::string_view mark, std::string_view end) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return "";
  line.remove_prefix(at + mark.size());
  return std::string(line.substr(0, line.find_first_of(end)));
}

bool has(std::string_view line, std::string_view mark) {
  return line.find(mark) != std::string_view::npos;
}

template <class T>
void keep(std::optional<T>& into, std::optional<double> value) {
  constexpr double kMostBelieved = 1e15;  // above it a line is broken: no count of bytes, blocks or tokens
  if (value && !into && std::abs(*value) < kMostBelieved) into = static_cast<T>(*value);
}

void keep_least(std::optional<double>& into, std::optional<double> value) {
  if (value) into = into ? std::min(*into, *value) : *value;
}

class Log {
 public:
  void line(std::string_view l) {
    if (has(l, "Initializing a") && has(l, "LLM engine")) begin(l);
    if (has(l, "vLLM API server version ")) start().engine_version = text_after(l, "version ", " \r");
    keep(start().max_batched_tokens, number_after(l, "max_num_batched_tokens="));
    keep(start().weights_gib, number_after(l, "Loading model weights took "));
    keep(start().weights_gib, number_after(l, "Model loading took "));
    keep_least(start().kv_cache_gib, number_after(l, "Available KV cache memory: "));
    keep(start().kv_cache_tokens, number_after(l, "GPU KV cache size: "));
    keep(start().gpu_blocks, number_after(l, "# GPU blocks: "));
    keep(start().cuda_graph_gib, number_after(l, "Estimated CUDA graph memory: "));
    if (const auto at = l.find("Maximum concurrency for "); at != std::string_view::npos)
      keep(start().max_concurrency, number_after(l.substr(at), ": "));
    if (has(l, "Memory profiling results")) profile(l);
    sentence(l);
    sglang(l);
  }
  std::vector<EngineStart> take() {
    std::erase_if(starts_, [](const EngineStart& s) { return s == EngineStart{}; });
    return std::move(starts_);
  }

 private:
  EngineStart& start() {
    if (starts_.empty()) starts_.emplace_back();
    return starts_.back();
  }
  void begin(std::string_view l) {
    if (start().weights_gib || start().kv_cache_gib) starts_.emplace_back();
    auto& s = start();
    if (const auto version = text_after(l, "engine (v", ")"); !version.empty()) s.engine_version = version;
    s.model = text_after(l, "model='", "'");
    keep(s.max_model_len, number_after(l, "max_seq_len="));
    keep(s.tensor_parallel, number_after(l, "tensor_parallel_size="));
  }
  /// One sentence of the V0 engine, and the summary of V1 since 0.10.
  void sentence(std::string_view l) {
    keep(start().total_gib, number_after(l, "can use total_gpu_memory ("));
    keep(start().utilization, number_after(l, "x gpu_memory_utilization ("));
    keep(start().weights_gib, number_after(l, "model weights take "));
    keep(start().non_torch_gib, number_after(l, "non_torch_memory takes "));
    keep_least(start().kv_cache_gib, number_after(l, "reserved for KV Cache is "));
    if (!has(l, "Free memory on device (")) return;
    keep(start().total_gib, number_after(l.substr(l.find("Free memory on device (")), "/"));
    keep(start().utilization, number_after(l, "utilization is ("));
    keep(start().weights_gib, number_after(l, "Actual usage is "));
    if (has(l, "for weight,")) keep(start().non_torch_gib, number_after(l, "peak activation, "));
  }
  void sglang(std::string_view l) {
    if (has(l, "server_args=ServerArgs(")) {
      if (start().weights_gib || start().kv_cache_gib) starts_.emplace_back();
      start().engine = "sglang";
      start().model = text_after(l, "model_path='", "'");
      keep(start().tensor_parallel, number_after(l, "tp_size="));
      keep(start().utilization, number_after(l, "mem_fraction_static="));
    }
    if (has(l, "Load weight end.")) keep(start().weights_gib, number_after(l, "mem usage="));
    if (!has(l, "KV Cache is allocated.")) return;
    const auto keys = number_after(l, "K size: "), values = number_after(l, "V size: ");
    if (keys && values) start().engine = "sglang", keep_least(start().kv_cache_gib, *keys + *values);
    keep(start().kv_cache_tokens, number_after(l, "#tokens: "));
  }
  void profile(std::string_view l) {
    keep(start().total_gib, number_after(l, "total_gpu_memory="));
    keep(start().non_torch_gib, number_after(l, "non_torch_memory="));
    keep_least(start().kv_cache_gib, number_after(l, "kv_cache_size="));
    keep(start().utilization, number_after(l, "gpu_memory_utilization="));
  }

  std::vector<EngineStart> starts_;
};

}  // namespace

std::vector<EngineStart> read_engine_log(std::string_view text) {
  Log log;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    log.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return log.take();
}

}  // namespace etiage::formats
