#pragma once
// What each metric of each exporter and engine means. To read another engine, add its rows to the table in
// dialects.cpp.

#include <optional>
#include <string>
#include <string_view>

#include "model/evidence.h"

namespace etiage::evidence {

enum class Role : std::uint8_t {
  // of a device
  kDeviceRow,  ///< says only that the device is there, and who is on it
  kSmActive,
  kGrEngineActive,
  kGpuUtil,
  kMemoryUsed,  ///< MiB; only its peak is kept
  // of a pod, by kube-state-metrics
  kPodInfo,
  kPodCreated,
  kPodStarted,
  kPodScheduled,
  kPodCompleted,
  kPodDeletion,
  kPodPhase,
  kPodReady,
  kPodRequests,
  kPodRestarts,
  kPodOwner,
  kPodLabels,
  // of other objects, by kube-state-metrics
  kNodeInfo,
  kNodeCreated,
  kNodeLabels,
  kNodeAllocatable,
  kNodeCapacity,
  kNodeUnschedulable,
  kNamespaceLabels,
  // of a container, by cAdvisor
  kCpuSeconds,
  kMemoryBytes,
  // of an inference engine
  kPromptTokens,
  kPromptTokensBySource,
  kCachedTokens,
  kOutputTokens,
  kPrefillSeconds,
  kDecodeSeconds,
  kRunning,
  kWaiting,
  kImages,
  // of a gateway
  kGatewayInput,  ///< all prompt tokens, cached ones among them
  kGatewayCached,
  kGatewayOutput,
};

/// One row of the table: what a metric means, and in which dialect.
struct Meaning {
  Role role = Role::kDeviceRow;
  std::string_view dialect;  ///< `DCGM`, `vLLM`, `SGLang`, ...
  double scale = 1;          ///< multiplies the value: percent to ratio, milliseconds to seconds
};

/// Nothing where the metric is of no use to the ledger.
std::optional<Meaning> meaning_of(std::string_view metric);

/// Whether only the presence of such a series matters, not its values.
bool presence_only(Role role);

/// Whether the largest value of such a series is kept, and no other.
bool peak_only(Role role);

/// The busy signal that a device gauge gives, if it gives one.
std::optional<BusySignal> busy_signal(Role role);

/// The series that a busy signal of a device was read from, as PromQL selects it.
std::string series_of(BusySignal signal, const DeviceLife& device, const PodLife& pod);

}  // namespace etiage::evidence
