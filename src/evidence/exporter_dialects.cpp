// What exporters of devices, of Kubernetes objects and of containers, and gateways call what the ledger
// needs.
//
// Sources: the exporters' own metric lists and real scrapes. The activity of AMD's graphics engine and of
// Triton's devices, of Gaudi, of Intel's engines and the duty cycle of TPUs are the share of time with any
// kernel running, as DCGM_FI_DEV_GPU_UTIL is. Names of TPUs are as plain as `duty_cycle`: their label `make`
// tells them apart. Dynamo's frontend and OpenTelemetry's histograms count what was asked for, as gateways
// do.

#include <array>

#include "evidence/dialects.h"

namespace etiage::evidence {
namespace {

constexpr std::string_view kDcgm = "DCGM", kAmd = "AMD device metrics exporter", kKube = "kube-state-metrics",
                           kCadvisor = "cAdvisor", kSmi = "nvidia-smi", kTriton = "Triton",
                           kLiteLlm = "LiteLLM", kGaudi = "Gaudi metric exporter",
                           kXpum = "Intel XPU Manager", kTpu = "TPU device plugin",
                           kGke = "GKE system metrics", kOtel = "OpenTelemetry GenAI", kDynamo = "Dynamo";

constexpr auto kRows = std::to_array<DialectRow>({
    {"DCGM_FI_PROF_SM_ACTIVE", {Role::kSmActive, kDcgm}},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", {Role::kGrEngineActive, kDcgm}},
    {"DCGM_FI_DEV_GPU_UTIL", {Role::kGpuUtil, kDcgm, 0.01}},
    {"DCGM_FI_DEV_FB_USED", {Role::kMemoryUsed, kDcgm}},
    {"dcgm_fb_used", {Role::kMemoryUsed, kDcgm}},
    {"DCGM_FI_DEV_FB_FREE", {Role::kMemoryFree, kDcgm}},
    {"dcgm_fb_free", {Role::kMemoryFree, kDcgm}},
    {"DCGM_FI_DEV_FB_RESERVED", {Role::kMemoryReserved, kDcgm}},
    {"dcgm_fb_reserved", {Role::kMemoryReserved, kDcgm}},
    {"dcgm_sm_active", {Role::kSmActive, kDcgm}},
    {"dcgm_gr_engine_active", {Role::kGrEngineActive, kDcgm}},
    {"dcgm_gpu_utilization", {Role::kGpuUtil, kDcgm, 0.01}},

    {"kube_pod_info", {Role::kPodInfo, kKube}},
    {"kube_pod_created", {Role::kPodCreated, kKube}},
    {"kube_pod_start_time", {Role::kPodStarted, kKube}},
    {"kube_pod_status_scheduled_time", {Role::kPodScheduled, kKube}},
    {"kube_pod_completion_time", {Role::kPodCompleted, kKube}},
    {"kube_pod_deletion_timestamp", {Role::kPodDeletion, kKube}},
    {"kube_pod_status_phase", {Role::kPodPhase, kKube}},
    {"kube_pod_status_ready", {Role::kPodReady, kKube}},
    {"kube_pod_container_resource_requests", {Role::kPodRequests, kKube}},
    {"kube_pod_container_status_restarts_total", {Role::kPodRestarts, kKube}},
    {"kube_pod_owner", {Role::kPodOwner, kKube}},
    {"kube_pod_labels", {Role::kPodLabels, kKube}},
    {"kube_node_info", {Role::kNodeInfo, kKube}},
    {"kube_node_created", {Role::kNodeCreated, kKube}},
    {"kube_node_labels", {Role::kNodeLabels, kKube}},
    {"kube_node_status_allocatable", {Role::kNodeAllocatable, kKube}},
    {"kube_node_status_capacity", {Role::kNodeCapacity, kKube}},
    {"kube_node_spec_unschedulable", {Role::kNodeUnschedulable, kKube}},
    {"kube_namespace_labels", {Role::kNamespaceLabels, kKube}},

    {"container_cpu_usage_seconds_total", {Role::kCpuSeconds, kCadvisor}},
    {"container_memory_working_set_bytes", {Role::kMemoryBytes, kCadvisor}},

    {"litellm_input_tokens_metric_total", {Role::kGatewayInput, kLiteLlm}},
    {"litellm_input_cached_tokens_metric_total", {Role::kGatewayCached, kLiteLlm}},
    {"litellm_output_tokens_metric_total", {Role::kGatewayOutput, kLiteLlm}},
    {"litellm_input_tokens_total", {Role::kGatewayInput, kLiteLlm}},
    {"litellm_output_tokens_total", {Role::kGatewayOutput, kLiteLlm}},

    {"gen_ai_client_token_usage_token_sum", {Role::kGatewayInput, kOtel}, "gen_ai_token_type", "input"},
    {"gen_ai_client_token_usage_token_sum",
     {Role::kGatewayCached, kOtel},
     "gen_ai_token_type",
     "cached_input"},
    {"gen_ai_client_token_usage_token_sum", {Role::kGatewayOutput, kOtel}, "gen_ai_token_type", "output"},
    {"gen_ai_client_token_usage_sum", {Role::kGatewayInput, kOtel}, "gen_ai_token_type", "input"},
    {"gen_ai_client_token_usage_sum", {Role::kGatewayCached, kOtel}, "gen_ai_token_type", "cached_input"},
    {"gen_ai_client_token_usage_sum", {Role::kGatewayOutput, kOtel}, "gen_ai_token_type", "output"},

    {"dynamo_frontend_input_sequence_tokens_sum", {Role::kGatewayInput, kDynamo}},
    {"dynamo_frontend_cached_tokens_sum", {Role::kGatewayCached, kDynamo}},
    {"dynamo_frontend_output_tokens_total", {Role::kGatewayOutput, kDynamo}},

    {"gpu_gfx_activity", {Role::kGpuUtil, kAmd, 0.01}},
    {"gpu_package_power", {Role::kDeviceRow, kAmd}},
    {"gpu_power_usage", {Role::kDeviceRow, kAmd}},
    {"gpu_used_vram", {Role::kDeviceRow, kAmd}},
    {"gpu_total_vram", {Role::kDeviceRow, kAmd}},

    {"nvidia_smi_utilization_gpu_ratio", {Role::kGpuUtil, kSmi}},
    {"nvidia_smi_gpu_info", {Role::kDeviceRow, kSmi}},

    {"habanalabs_utilization", {Role::kGpuUtil, kGaudi, 0.01}},
    {"habanalabs_power_mW", {Role::kDeviceRow, kGaudi}},
    {"habanalabs_memory_used_bytes", {Role::kDeviceRow, kGaudi}},

    {"xpum_engine_ratio", {Role::kGpuUtil, kXpum}},
    {"xpum_power_watts", {Role::kDeviceRow, kXpum}},
    {"xpum_memory_used_bytes", {Role::kDeviceRow, kXpum}},

    {"duty_cycle", {Role::kGpuUtil, kTpu, 0.01}, "make", "cloud-tpu"},
    {"duty_cycle_node", {Role::kGpuUtil, kTpu, 0.01}, "make", "cloud-tpu"},
    {"memory_used", {Role::kDeviceRow, kTpu}, "make", "cloud-tpu"},
    {"kubernetes_io:container_accelerator_duty_cycle", {Role::kGpuUtil, kGke, 0.01}},
    {"kubernetes_io:node_accelerator_duty_cycle", {Role::kGpuUtil, kGke, 0.01}},

    {"nv_gpu_utilization", {Role::kGpuUtil, kTriton}},
    {"nv_gpu_memory_used_bytes", {Role::kDeviceRow, kTriton}},
});

}  // namespace

std::span<const DialectRow> exporter_dialects() {
  return kRows;
}

}  // namespace etiage::evidence
