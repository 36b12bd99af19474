#pragma once
// How busy a device was over a time: the best signal of each moment (RULES.md 11).

#include <vector>

#include "evidence/device_rows.h"
#include "evidence/engines.h"

namespace etiage::evidence {

struct Busy {
  Window span;
  double u = 0;
  BusySignal signal = BusySignal::kSmActive;
};

/// What the signals of a device say over `time`, the best one first; those that could add nothing are not
/// asked.
std::vector<Busy> busy_of(const DeviceRows& rows, const EnginePod& engine, Window time);

/// 1 while any engine of the pod had requests running.
Segments running_share(const EnginePod& engine);

}  // namespace etiage::evidence
