#include "evidence/dialects.h"

#include <algorithm>
#include <array>

namespace etiage::evidence {
namespace {

struct Row {
  std::string_view metric;
  Meaning meaning;
};

// Sources: knowledge of the exporters' own metric lists; SGLang counts tokens when a request finishes, vLLM
// as they come.
constexpr auto kRows = std::to_array<Row>({
    {"DCGM_FI_PROF_SM_ACTIVE", {Role::kSmActive, "DCGM"}},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", {Role::kGrEngineActive, "DCGM"}},
    {"DCGM_FI_DEV_GPU_UTIL", {Role::kGpuUtil, "DCGM", 0.01}},
    {"DCGM_FI_DEV_FB_USED", {Role::kMemoryUsed, "DCGM"}},
    {"dcgm_fb_used", {Role::kMemoryUsed, "DCGM"}},
    {"dcgm_sm_active", {Role::kSmActive, "DCGM"}},
    {"dcgm_gr_engine_active", {Role::kGrEngineActive, "DCGM"}},
    {"dcgm_gpu_utilization", {Role::kGpuUtil, "DCGM", 0.01}},

    {"kube_pod_info", {Role::kPodInfo, "kube-state-metrics"}},
    {"kube_pod_created", {Role::kPodCreated, "kube-state-metrics"}},
    {"kube_pod_start_time", {Role::kPodStarted, "kube-state-metrics"}},
    {"kube_pod_status_scheduled_time", {Role::kPodScheduled, "kube-state-metrics"}},
    {"kube_pod_completion_time", {Role::kPodCompleted, "kube-state-metrics"}},
    {"kube_pod_deletion_timestamp", {Role::kPodDeletion, "kube-state-metrics"}},
    {"kube_pod_status_phase", {Role::kPodPhase, "kube-state-metrics"}},
    {"kube_pod_status_ready", {Role::kPodReady, "kube-state-metrics"}},
    {"kube_pod_container_resource_requests", {Role::kPodRequests, "kube-state-metrics"}},
    {"kube_pod_container_status_restarts_total", {Role::kPodRestarts, "kube-state-metrics"}},
    {"kube_pod_owner", {Role::kPodOwner, "kube-state-metrics"}},
    {"kube_pod_labels", {Role::kPodLabels, "kube-state-metrics"}},
    {"kube_node_info", {Role::kNodeInfo, "kube-state-metrics"}},
    {"kube_node_created", {Role::kNodeCreated, "kube-state-metrics"}},
    {"kube_node_labels", {Role::kNodeLabels, "kube-state-metrics"}},
    {"kube_node_status_allocatable", {Role::kNodeAllocatable, "kube-state-metrics"}},
    {"kube_node_status_capacity", {Role::kNodeCapacity, "kube-state-metrics"}},
    {"kube_node_spec_unschedulable", {Role::kNodeUnschedulable, "kube-state-metrics"}},
    {"kube_namespace_labels", {Role::kNamespaceLabels, "kube-state-metrics"}},

    {"container_cpu_usage_seconds_total", {Role::kCpuSeconds, "cAdvisor"}},
    {"container_memory_working_set_bytes", {Role::kMemoryBytes, "cAdvisor"}},

    {"vllm:prompt_tokens_total", {Role::kPromptTokens, "vLLM"}},
    {"vllm:prompt_tokens_by_source_total", {Role::kPromptTokensBySource, "vLLM"}},
    {"vllm:prompt_tokens_cached_total", {Role::kCachedTokens, "vLLM"}},
    {"vllm:generation_tokens_total", {Role::kOutputTokens, "vLLM"}},
    {"vllm:request_prefill_time_seconds_sum", {Role::kPrefillSeconds, "vLLM"}},
    {"vllm:request_decode_time_seconds_sum", {Role::kDecodeSeconds, "vLLM"}},
    {"vllm:num_requests_running", {Role::kRunning, "vLLM"}},
    {"vllm:num_requests_waiting", {Role::kWaiting, "vLLM"}},

    {"sglang:prompt_tokens_total", {Role::kPromptTokens, "SGLang"}},
    {"sglang:cached_tokens_total", {Role::kCachedTokens, "SGLang"}},
    {"sglang:generation_tokens_total", {Role::kOutputTokens, "SGLang"}},
    {"sglang:num_running_reqs", {Role::kRunning, "SGLang"}},
    {"sglang:num_queue_reqs", {Role::kWaiting, "SGLang"}},

    {"tgi_request_input_length_sum", {Role::kPromptTokens, "TGI"}},
    {"tgi_request_generated_tokens_sum", {Role::kOutputTokens, "TGI"}},
    {"tgi_batch_current_size", {Role::kRunning, "TGI"}},
    {"tgi_queue_size", {Role::kWaiting, "TGI"}},

    {"nv_llm_input_token_len_sum", {Role::kPromptTokens, "Triton TensorRT-LLM"}},
    {"nv_llm_output_token_len_sum", {Role::kOutputTokens, "Triton TensorRT-LLM"}},
    {"trtllm_num_requests_running", {Role::kRunning, "trtllm-serve"}},
    {"trtllm_num_requests_waiting", {Role::kWaiting, "trtllm-serve"}},

    {"prompt_tokens_total", {Role::kPromptTokens, "NIM"}},
    {"generation_tokens_total", {Role::kOutputTokens, "NIM"}},
    {"num_requests_running", {Role::kRunning, "NIM"}},
    {"num_requests_waiting", {Role::kWaiting, "NIM"}},

    {"llamacpp:prompt_tokens_total", {Role::kPromptTokens, "llama.cpp"}},
    {"llamacpp:tokens_predicted_total", {Role::kOutputTokens, "llama.cpp"}},
    {"llamacpp:prompt_seconds_total", {Role::kPrefillSeconds, "llama.cpp"}},
    {"llamacpp:tokens_predicted_seconds_total", {Role::kDecodeSeconds, "llama.cpp"}},
    {"llamacpp:requests_processing", {Role::kRunning, "llama.cpp"}},
    {"llamacpp:requests_deferred", {Role::kWaiting, "llama.cpp"}},

    {"litellm_input_tokens_metric_total", {Role::kGatewayInput, "LiteLLM"}},
    {"litellm_input_cached_tokens_metric_total", {Role::kGatewayCached, "LiteLLM"}},
    {"litellm_output_tokens_metric_total", {Role::kGatewayOutput, "LiteLLM"}},
    {"litellm_input_tokens_total", {Role::kGatewayInput, "LiteLLM"}},
    {"litellm_output_tokens_total", {Role::kGatewayOutput, "LiteLLM"}},
});

/// Ray Serve exports vLLM's metrics as `ray_vllm_NAME`; some relabelings write `vllm_NAME`.
std::string canonical(std::string_view metric) {
  if (metric.starts_with("ray_")) metric.remove_prefix(4);
  for (std::string_view engine : {"vllm", "sglang"})
    if (metric.starts_with(engine) && metric.size() > engine.size() && metric[engine.size()] == '_')
      return std::string(engine) + ":" + std::string(metric.substr(engine.size() + 1));
  return std::string(metric);
}

}  // namespace

std::optional<Meaning> meaning_of(std::string_view metric) {
  const auto find = [](std::string_view name) {
    return std::ranges::find_if(kRows, [&](const Row& row) { return row.metric == name; });
  };
  if (const auto* row = find(metric); row != kRows.end()) return row->meaning;
  if (const auto* row = find(canonical(metric)); row != kRows.end()) return row->meaning;
  if (metric.starts_with("DCGM_") || metric.starts_with("dcgm_")) return Meaning{Role::kDeviceRow, "DCGM"};
  return {};
}

bool presence_only(Role role) {
  return role == Role::kDeviceRow || peak_only(role) || role == Role::kPodInfo || role == Role::kNodeInfo;
}

bool peak_only(Role role) {
  return role == Role::kMemoryUsed;
}

std::optional<BusySignal> busy_signal(Role role) {
  switch (role) {
    case Role::kSmActive:
      return BusySignal::kSmActive;
    case Role::kGrEngineActive:
      return BusySignal::kGrEngineActive;
    case Role::kGpuUtil:
      return BusySignal::kGpuUtil;
    default:
      return {};
  }
}

std::string series_of(BusySignal signal, const DeviceLife& device, const PodLife& pod) {
  if (signal == BusySignal::kEngineRunning)
    return "vllm:num_requests_running{namespace=\"" + pod.ns + "\",pod=\"" + pod.name + "\"}";
  const std::string_view metric = signal == BusySignal::kSmActive         ? "DCGM_FI_PROF_SM_ACTIVE"
                                  : signal == BusySignal::kGrEngineActive ? "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
                                                                          : "DCGM_FI_DEV_GPU_UTIL";
  std::string out = std::string(metric) + "{UUID=\"" + device.uuid + "\"";
  if (!device.instance.empty()) out += ",GPU_I_ID=\"" + device.instance + "\"";
  return out + "}";
}

}  // namespace etiage::evidence
