#include "evidence/dialects.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "catalog/renamed_metrics.h"

namespace etiage::evidence {
namespace {

/// All rows, by metric.
const std::vector<DialectRow>& table() {
  static const std::vector<DialectRow> rows = [] {
    std::vector<DialectRow> all;
    for (const auto part : {engine_dialects(), exporter_dialects()})
      all.insert(all.end(), part.begin(), part.end());
    std::ranges::stable_sort(all, {}, &DialectRow::metric);
    return all;
  }();
  return rows;
}

std::span<const DialectRow> rows_named(std::string_view metric) {
  const auto found = std::ranges::equal_range(table(), metric, {}, &DialectRow::metric);
  return {found.begin(), found.end()};
}

constexpr std::string_view kTotal = "_total";

/// A counter is `NAME_total` in the text of one client library and `NAME` in that of another.
std::span<const DialectRow> rows_of_counter(std::string_view metric) {
  if (const auto rows = rows_named(metric); !rows.empty()) return rows;
  if (metric.ends_with(kTotal)) return rows_named(metric.substr(0, metric.size() - kTotal.size()));
  return rows_named(std::string(metric) + std::string(kTotal));
}

/// AMD's exporter writes its names in capitals in some versions, and behind `amd_` where operators set that
/// prefix.
std::string amd_name(std::string_view metric) {
  if (metric.starts_with("amd_gpu_")) metric.remove_prefix(4);
  return metric.starts_with("GPU_") ? lower_case(metric) : std::string(metric);
}

/// Ray Serve exports vLLM's metrics as `ray_vllm_NAME`; some relabelings write `vllm_NAME`.
std::optional<std::string> plain_name(std::string_view metric) {
  const bool ray = metric.starts_with("ray_");
  if (ray) metric.remove_prefix(4);
  for (std::string_view engine : {"vllm", "sglang", "llamacpp", "lmdeploy"})
    if (metric.starts_with(engine) && metric.size() > engine.size() && metric[engine.size()] == '_')
      return std::string(engine) + ":" + std::string(metric.substr(engine.size() + 1));
  if (ray && metric.starts_with("vllm:")) return std::string(metric);
  if (metric.starts_with("amd_gpu_") || metric.starts_with("GPU_")) return amd_name(metric);
  // Image servers share no names but this ending.
  for (std::string_view ending : {"_images_generated_total", "_generated_images_total"})
    if (metric.ends_with(ending)) return std::string(ending.substr(1));
  return {};
}

std::span<const DialectRow> rows_of(std::string_view metric) {
  const auto plain = plain_name(metric);
  return rows_of_counter(plain ? *plain : metric);
}

/// Any other row of DCGM tells at least that the device is there; an engine's may be one of old releases.
std::optional<Meaning> row_of_others(std::string_view metric) {
  if (metric.starts_with("DCGM_") || metric.starts_with("dcgm_")) return Meaning{Role::kDeviceRow, "DCGM"};
  if (metric.ends_with("_bucket")) return {};
  const auto* renamed = catalog::renamed_metric(own_name(metric));
  return renamed != nullptr ? std::optional(Meaning{Role::kRenamed, renamed->dialect}) : std::nullopt;
}

/// A value may end in `*`: any that begins so.
bool has_value(std::string_view value, std::string_view wanted) {
  return wanted.ends_with('*') ? value.starts_with(wanted.substr(0, wanted.size() - 1)) : value == wanted;
}

}  // namespace

std::optional<Meaning> meaning_of(std::string_view metric) {
  const auto rows = rows_of(metric);
  return rows.empty() ? row_of_others(metric) : rows.front().meaning;
}

std::optional<Meaning> meaning_of(formats::Labels labels) {
  const std::string_view metric = formats::label_value(labels, "__name__");
  const auto rows = rows_of(metric);
  if (rows.empty()) return row_of_others(metric);
  for (const DialectRow& row : rows)
    if (row.label.empty() || has_value(formats::label_value(labels, row.label), row.value))
      return row.meaning;
  return {};
}

std::string own_name(std::string_view metric) {
  return plain_name(metric).value_or(std::string(metric));
}

bool of_engine(Role role) {
  return role >= Role::kPromptTokens && role <= Role::kImages;
}

bool presence_only(Role role) {
  return role == Role::kDeviceRow || (role >= Role::kMemoryUsed && role <= Role::kMemoryReserved) ||
         role == Role::kPrefixCache || role == Role::kRenamed || role == Role::kPodInfo ||
         role == Role::kNodeInfo;
}

bool of_device(Role role) {
  return role >= Role::kDeviceRow && role <= Role::kMemoryReserved;
}

bool peak_only(Role role) {
  return role == Role::kMemoryUsed;
}

formats::Downsampled when_downsampled(Role role) {
  using enum formats::Downsampled;
  switch (role) {
    case Role::kDeviceRow:
    case Role::kSmActive:
    case Role::kGrEngineActive:
    case Role::kGpuUtil:
    case Role::kMemoryBytes:
      return kAverage;
    case Role::kPodReady:  // the moment of the change counts
    case Role::kRunning:   // whether any request ran, not how many on average
    case Role::kWaiting:
      return kNever;
    case Role::kPodRestarts:
    case Role::kCpuSeconds:
    case Role::kPromptTokens:
    case Role::kComputedPromptTokens:
    case Role::kCacheHitPromptTokens:
    case Role::kTransferredPromptTokens:
    case Role::kCachedTokens:
    case Role::kOutputTokens:
    case Role::kPrefillSeconds:
    case Role::kDecodeSeconds:
    case Role::kImages:
    case Role::kGatewayInput:
    case Role::kGatewayCached:
    case Role::kGatewayOutput:
      return kCounter;
    default:
      return kMaximum;
  }
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

namespace {

/// The name that a dialect has for a role, first in its rows.
std::string_view metric_for(Role role, std::string_view dialect) {
  for (const auto rows : {engine_dialects(), exporter_dialects()})
    for (const DialectRow& row : rows)
      if (row.meaning.role == role && row.meaning.dialect == dialect) return row.metric;
  return {};
}

Role role_of(BusySignal signal) {
  switch (signal) {
    case BusySignal::kSmActive:
      return Role::kSmActive;
    case BusySignal::kGrEngineActive:
      return Role::kGrEngineActive;
    case BusySignal::kEngineRunning:
      return Role::kRunning;
    case BusySignal::kGpuUtil:
      return Role::kGpuUtil;
  }
  return Role::kDeviceRow;
}

/// The label by which an exporter tells its devices apart.
std::string_view uuid_label(std::string_view exporter) {
  if (exporter == "DCGM" || exporter == "Gaudi metric exporter") return "UUID";
  if (exporter == "nvidia-smi" || exporter == "Intel XPU Manager") return "uuid";
  return exporter.starts_with("TPU") || exporter.starts_with("GKE") ? "accelerator_id" : "gpu_uuid";
}

}  // namespace

std::string series_of(BusySignal signal, const DeviceLife& device, const PodLife& pod) {
  const bool engine = signal == BusySignal::kEngineRunning;
  std::string out(metric_for(role_of(signal), engine ? pod.engine : device.exporter));
  if (engine) return out + "{namespace=\"" + pod.ns + "\",pod=\"" + pod.name + "\"}";
  out += "{" + std::string(uuid_label(device.exporter)) + "=\"" + device.uuid + "\"";
  if (!device.instance.empty()) out += ",GPU_I_ID=\"" + device.instance + "\"";
  return out + "}";
}

}  // namespace etiage::evidence
