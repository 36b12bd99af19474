// What exporters of devices, of Kubernetes objects and of containers, and gateways call what the ledger
// needs.
//
// Sources: the exporters' own metric lists and real scrapes. The activity of AMD's graphics engine and of
// Triton's devices is the share of time with any kernel running, as DCGM_FI_DEV_GPU_UTIL is.

#include <array>

#include "evidence/dialects.h"

namespace etiage::evidence {
namespace {

constexpr std::string_view kDcgm = "DCGM", kAmd = "AMD device metrics exporter", kKube = "kube-state-metrics",
                           kCadvisor = "cAdvisor", kSmi = "nvidia-smi", kTriton = "Triton",
                           kLiteLlm = "LiteLLM";

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

    {"gpu_gfx_activity", {Role::kGpuUtil, kAmd, 0.01}},
    {"gpu_package_power", {Role::kDeviceRow, kAmd}},
    {"gpu_power_usage", {Role::kDeviceRow, kAmd}},
    {"gpu_used_vram", {Role::kDeviceRow, kAmd}},
    {"gpu_total_vram", {Role::kDeviceRow, kAmd}},

    {"nvidia_smi_utilization_gpu_ratio", {Role::kGpuUtil, kSmi}},
    {"nvidia_smi_gpu_info", {Role::kDeviceRow, kSmi}},

    {"nv_gpu_utilization", {Role::kGpuUtil, kTriton}},
    {"nv_gpu_memory_used_bytes", {Role::kDeviceRow, kTriton}},
});

}  // namespace

std::span<const DialectRow> exporter_dialects() {
  return kRows;
}

}  // namespace etiage::evidence
