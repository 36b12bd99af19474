#pragma once
// What each metric of each exporter and engine means. To read another engine, add its rows to the table in
// engine_dialects.cpp; another exporter, in exporter_dialects.cpp.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/samples.h"
#include "model/evidence.h"

namespace etiage::evidence {

enum class Role : std::uint8_t {
  // of a device
  kDeviceRow,  ///< says only that the device is there, and who is on it
  kSmActive,
  kGrEngineActive,
  kGpuUtil,
  kMemoryUsed,  ///< MiB, as the next two; only its peak and the newest value are kept
  kMemoryFree,
  kMemoryReserved,
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
  kPromptTokens,             ///< all of them, cached ones too
  kComputedPromptTokens,     ///< with the next two: all of them by where they came from
  kCacheHitPromptTokens,     ///< found in the engine's own cache
  kTransferredPromptTokens,  ///< taken over from another engine or an outer cache
  kCachedTokens,             ///< a part of kPromptTokens
  kOutputTokens,
  kPrefillSeconds,
  kDecodeSeconds,
  kRunning,
  kWaiting,
  kImages,
  // of an inference engine, for checks alone
  kSamplingSum,    ///< answers asked for, of all requests
  kSamplingCount,  ///< requests
  kPrefixCache,    ///< the prefix cache's own counters
  kRenamed,        ///< what later releases call otherwise, or not at all
  // of a gateway
  kGatewayInput,  ///< all prompt tokens, cached ones among them
  kGatewayCached,
  kGatewayOutput,
};

/// What a metric means, and in which dialect.
struct Meaning {
  Role role = Role::kDeviceRow;
  std::string_view dialect;  ///< `DCGM`, `vLLM`, `SGLang`, ...
  double scale = 1;          ///< multiplies the value: percent to ratio, microseconds to seconds
};

/// One row of the table.
struct DialectRow {
  std::string_view metric;
  Meaning meaning;
  std::string_view label = {}, value = {};  ///< only series whose label has that value; empty: all
};

std::span<const DialectRow> engine_dialects();
std::span<const DialectRow> exporter_dialects();

/// Of any series of the metric; nothing where none is of use to the ledger.
std::optional<Meaning> meaning_of(std::string_view metric);
/// Of one series.
std::optional<Meaning> meaning_of(formats::Labels labels);

/// What the engine itself calls the metric: `vllm:x` of Ray's `ray_vllm_x`.
std::string own_name(std::string_view metric);

/// Whether it tells what an inference engine does.
bool of_engine(Role role);

/// Whether only the presence of such a series matters, and of its values at most the newest.
bool presence_only(Role role);

/// Whether the largest value of such a series is kept too.
bool peak_only(Role role);

/// What of such a metric is left in blocks that were downsampled.
formats::Downsampled when_downsampled(Role role);

/// Whether the series is of a device, whatever it says of it.
bool of_device(Role role);

/// The busy signal that a device gauge gives, if it gives one.
std::optional<BusySignal> busy_signal(Role role);

/// The series that a busy signal of a device was read from, as PromQL selects it.
std::string series_of(BusySignal signal, const DeviceLife& device, const PodLife& pod);

}  // namespace etiage::evidence
