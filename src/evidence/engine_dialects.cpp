// What inference engines call their tokens, seconds and requests.
//
// Sources: the engines' own metric lists and real scrapes. vLLM counts tokens as they come; SGLang, TGI and
// Triton when a request finishes. Token counts of TGI, Triton and text-embeddings-inference are sums of
// histograms. trtllm-serve has no token counter.

#include <array>

#include "evidence/dialects.h"

namespace etiage::evidence {
namespace {

constexpr std::string_view kVllm = "vLLM", kSglang = "SGLang", kTgi = "TGI", kTei = "TEI",
                           kTriton = "TensorRT-LLM", kTrtllm = "trtllm-serve", kNim = "NIM",
                           kLlamaCpp = "llama.cpp", kLmdeploy = "LMDeploy", kDynamo = "Dynamo";

constexpr auto kRows = std::to_array<DialectRow>({
    {"vllm:prompt_tokens_total", {Role::kPromptTokens, kVllm}},
    {"vllm:prompt_tokens_by_source_total", {Role::kComputedPromptTokens, kVllm}, "source", "local_compute"},
    {"vllm:prompt_tokens_by_source_total", {Role::kCacheHitPromptTokens, kVllm}, "source", "local_cache_hit"},
    {"vllm:prompt_tokens_by_source_total",
     {Role::kTransferredPromptTokens, kVllm},
     "source",
     "external_kv_transfer"},
    {"vllm:prompt_tokens_cached_total", {Role::kCachedTokens, kVllm}},
    {"vllm:generation_tokens_total", {Role::kOutputTokens, kVllm}},
    {"vllm:request_prefill_time_seconds_sum", {Role::kPrefillSeconds, kVllm}},
    {"vllm:request_decode_time_seconds_sum", {Role::kDecodeSeconds, kVllm}},
    {"vllm:request_params_n_sum", {Role::kSamplingSum, kVllm}},
    {"vllm:request_params_n_count", {Role::kSamplingCount, kVllm}},
    {"vllm:prefix_cache_hits_total", {Role::kPrefixCache, kVllm}},
    {"vllm:gpu_prefix_cache_hits_total", {Role::kPrefixCache, kVllm}},
    {"vllm:num_requests_running", {Role::kRunning, kVllm}},
    {"vllm:num_requests_waiting", {Role::kWaiting, kVllm}},

    // `total` repeats the sum over the other sources. The sum of the latencies between tokens is the time
    // that requests spent decoding.
    {"sglang:prompt_tokens_total", {Role::kPromptTokens, kSglang}},
    {"sglang:cached_tokens_total", {Role::kCachedTokens, kSglang}, "cache_source", ""},
    {"sglang:cached_tokens_total", {Role::kCachedTokens, kSglang}, "cache_source", "device"},
    {"sglang:cached_tokens_total", {Role::kCachedTokens, kSglang}, "cache_source", "host"},
    {"sglang:cached_tokens_total", {Role::kCachedTokens, kSglang}, "cache_source", "storage_*"},
    {"sglang:generation_tokens_total", {Role::kOutputTokens, kSglang}},
    {"sglang:per_stage_req_latency_seconds_sum",
     {Role::kPrefillSeconds, kSglang},
     "stage",
     "prefill_forward"},
    {"sglang:inter_token_latency_seconds_sum", {Role::kDecodeSeconds, kSglang}},
    {"sglang:num_running_reqs", {Role::kRunning, kSglang}},
    {"sglang:num_queue_reqs", {Role::kWaiting, kSglang}},

    {"tgi_request_input_length_sum", {Role::kPromptTokens, kTgi}},
    {"tgi_request_generated_tokens_sum", {Role::kOutputTokens, kTgi}},
    {"tgi_batch_inference_duration_sum", {Role::kPrefillSeconds, kTgi}, "method", "prefill"},
    {"tgi_batch_inference_duration_sum", {Role::kDecodeSeconds, kTgi}, "method", "decode"},
    {"tgi_batch_current_size", {Role::kRunning, kTgi}},
    {"tgi_queue_size", {Role::kWaiting, kTgi}},

    {"te_batch_next_tokens_sum", {Role::kPromptTokens, kTei}},
    {"te_queue_size", {Role::kWaiting, kTei}},

    // The gauges of the batcher (total_context_tokens, ...) are moments, not counts.
    {"nv_llm_input_token_len_sum", {Role::kPromptTokens, kTriton}},
    {"nv_llm_output_token_len_sum", {Role::kOutputTokens, kTriton}},
    {"nv_trt_llm_request_metrics", {Role::kRunning, kTriton}, "request_type", "active"},
    {"nv_trt_llm_request_metrics", {Role::kWaiting, kTriton}, "request_type", "waiting"},

    {"trtllm_num_requests_running", {Role::kRunning, kTrtllm}},
    {"trtllm_num_requests_waiting", {Role::kWaiting, kTrtllm}},

    {"prompt_tokens_total", {Role::kPromptTokens, kNim}},
    {"generation_tokens_total", {Role::kOutputTokens, kNim}},
    {"num_requests_running", {Role::kRunning, kNim}},
    {"num_requests_waiting", {Role::kWaiting, kNim}},

    {"llamacpp:prompt_tokens_total", {Role::kPromptTokens, kLlamaCpp}},
    {"llamacpp:tokens_predicted_total", {Role::kOutputTokens, kLlamaCpp}},
    {"llamacpp:prompt_seconds_total", {Role::kPrefillSeconds, kLlamaCpp}},
    {"llamacpp:tokens_predicted_seconds_total", {Role::kDecodeSeconds, kLlamaCpp}},
    {"llamacpp:requests_processing", {Role::kRunning, kLlamaCpp}},
    {"llamacpp:requests_deferred", {Role::kWaiting, kLlamaCpp}},

    {"lmdeploy:prompt_tokens_total", {Role::kPromptTokens, kLmdeploy}},
    {"lmdeploy:generation_tokens_total", {Role::kOutputTokens, kLmdeploy}},
    {"lmdeploy:request_prefill_time_seconds_sum", {Role::kPrefillSeconds, kLmdeploy}},
    {"lmdeploy:request_decode_time_seconds_sum", {Role::kDecodeSeconds, kLmdeploy}},
    {"lmdeploy:num_requests_running", {Role::kRunning, kLmdeploy}},
    {"lmdeploy:num_requests_waiting", {Role::kWaiting, kLmdeploy}},

    // A worker's own engine tells its tokens; this tells of those that export nothing else that they ran.
    {"dynamo_component_inflight_requests", {Role::kRunning, kDynamo}, "dynamo_endpoint", "generate"},

    {"images_generated_total", {Role::kImages, "image server"}},
    {"generated_images_total", {Role::kImages, "image server"}},
});

}  // namespace

std::span<const DialectRow> engine_dialects() {
  return kRows;
}

}  // namespace etiage::evidence
