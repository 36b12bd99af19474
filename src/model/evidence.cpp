#include "model/evidence.h"

namespace etiage {

std::string_view to_string(Grade grade) {
  switch (grade) {
    case Grade::kMeasured:
      return "measured";
    case Grade::kDerived:
      return "derived";
    case Grade::kSimulated:
      return "simulated";
    case Grade::kAssumed:
      return "assumed";
  }
  return "assumed";
}

std::string_view to_string(BusySignal signal) {
  switch (signal) {
    case BusySignal::kSmActive:
      return "SM_ACTIVE";
    case BusySignal::kGrEngineActive:
      return "GR_ENGINE_ACTIVE";
    case BusySignal::kEngineRunning:
      return "REQUESTS_RUNNING";
    case BusySignal::kGpuUtil:
      return "GPU_UTIL";
  }
  return "";
}

Grade grade_of(BusySignal signal) {
  return signal == BusySignal::kSmActive ? Grade::kMeasured : Grade::kAssumed;
}

std::string_view to_string(PodSource source) {
  switch (source) {
    case PodSource::kObjects:
      return "objects";
    case PodSource::kKubeStateMetrics:
      return "kube-state-metrics";
    case PodSource::kDeviceRows:
      return "device rows";
    case PodSource::kEngineSeries:
      return "engine series";
    case PodSource::kTwin:
      return "twin";
  }
  return "";
}

}  // namespace etiage
