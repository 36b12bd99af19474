#include "explain/waste/engine_series.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace etiage::explain {
namespace {

constexpr auto kEngines = std::to_array<EngineSeries>({
    {"vLLM", {"vllm:generation_tokens_total"}, {"vllm:num_requests_running"}, {"vllm:num_requests_waiting"}},
    {"SGLang", {"sglang:generation_tokens_total"}, {"sglang:num_running_reqs"}, {"sglang:num_queue_reqs"}},
    {"TGI", {"tgi_request_generated_tokens_sum"}, {"tgi_batch_current_size"}, {"tgi_queue_size"}},
    {"TensorRT-LLM",
     {"nv_llm_output_token_len_sum"},
     {"nv_trt_llm_request_metrics", "request_type=\"active\""},
     {"nv_trt_llm_request_metrics", "request_type=\"waiting\""}},
    {"NIM", {"generation_tokens_total"}, {"num_requests_running"}, {"num_requests_waiting"}},
    {"llama.cpp",
     {"llamacpp:tokens_predicted_total"},
     {"llamacpp:requests_processing"},
     {"llamacpp:requests_deferred"}},
    {"LMDeploy",
     {"lmdeploy:generation_tokens_total"},
     {"lmdeploy:num_requests_running"},
     {"lmdeploy:num_requests_waiting"}},
});

}  // namespace

std::string SeriesName::selector(std::string_view more) const {
  return fmt::format("{}{{{}{}{}}}", metric, more, more.empty() || matcher.empty() ? "" : ",", matcher);
}

const EngineSeries& engine_series(std::string_view engine) {
  const auto found = std::ranges::find(kEngines, engine, &EngineSeries::engine);
  return found == kEngines.end() ? kEngines.front() : *found;
}

}  // namespace etiage::explain
