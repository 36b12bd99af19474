#include <algorithm>

#include "explain/promql/rules.h"

namespace etiage::explain::promql {
namespace {

bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != std::string::npos; });
}

bool ends(const std::string& text, std::initializer_list<std::string_view> suffixes) {
  return std::ranges::any_of(suffixes, [&](std::string_view s) { return text.ends_with(s); });
}

}  // namespace

bool is_gpu_activity(const std::string& m) {
  return has_any(m, {"SM_ACTIVE", "GR_ENGINE_ACTIVE", "GPU_UTIL", "PIPE_TENSOR_ACTIVE", "DRAM_ACTIVE"});
}

bool is_gpu_memory(const std::string& m) {
  return has_any(m, {"FB_USED", "FB_FREE", "FB_TOTAL", "FB_RESERVED", "gpu_memory"});
}

bool is_cost(const std::string& m) {
  return has_any(m, {"cost", "price"});
}

bool is_token_counter(const std::string& m) {
  return has_any(m, {"tokens", "token_len"}) && ends(m, {"_total", "_sum"});
}

bool is_gauge(const std::string& m) {
  if (m.starts_with("DCGM_"))
    return !has_any(m, {"TOTAL_ENERGY", "REPLAY_COUNTER", "REMAPPED_ROWS", "NVLINK_BANDWIDTH", "VIOLATION"});
  if (m.starts_with("kube_")) return !ends(m, {"_total"});
  return ends(m, {"_cost", "_price", "_per_hour", "_perc", "_requests_running", "_requests_waiting",
                  "_running_reqs", "_queue_reqs", "_usage_ratio", "_working_set_bytes"});
}

bool reads(const Expr& e, bool (*meaning)(const std::string&)) {
  return std::ranges::any_of(metrics(e), meaning);
}

bool is_rate(const Expr& e) {
  return e.kind == Expr::Kind::kCall && (e.name == "rate" || e.name == "irate" || e.name == "increase");
}

bool has_label(const Expr& aggregate, std::initializer_list<std::string_view> labels) {
  return std::ranges::any_of(aggregate.labels, [&](const std::string& l) {
    return std::ranges::find(labels, std::string_view(l)) != labels.end();
  });
}

}  // namespace etiage::explain::promql
