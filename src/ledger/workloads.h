#pragma once
// Pods to the workloads that people know.

#include <string>
#include <vector>

#include "ledger/ledger.h"

namespace etiage::ledger {

struct WorkloadRow {
  std::string cluster, ns, kind, name, team;
  ModelId model;  ///< of its first pod that serves one
  std::vector<PodId> pods;
  double gpu_hours = 0, busy_hours = 0;
  Buckets buckets;
  Money borne;  ///< idle put on it besides (`--idle`)

  Money cost() const { return buckets.total() + borne; }
};

/// Every workload that had a pod on a node inside the window, by cluster, namespace, name, kind. Their costs
/// and what nobody held or bore sum to the bill (RULES.md 18). `borne`: by pod, or empty.
std::vector<WorkloadRow> workload_rows(const Evidence& evidence, const Ledger& ledger,
                                       const std::vector<Money>& borne = {}, const PodFilter& wanted = {});

/// Whether the pod was on a node at some moment of the window (or, without a window, is on one).
bool was_there(const PodLife& pod, Window window);

/// Busy share of each device over the time with evidence, and the signal that most of it is from.
struct DeviceUse {
  double held_hours = 0, measured_hours = 0, busy_hours = 0;  ///< of the device, whatever its share of a card
  BusySignal signal = BusySignal::kSmActive;
};
std::vector<DeviceUse> device_use(const Evidence& evidence);

}  // namespace etiage::ledger
