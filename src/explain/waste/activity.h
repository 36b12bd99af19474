#pragma once
// What a pod did with its devices, in figures that findings are built on.

#include <vector>

#include "model/evidence.h"

namespace etiage::explain {

/// Seconds are weighted by share of a card: a pod on two cards has two a second.
struct Activity {
  double held_seconds = 0;                    ///< inside the window
  double measured_seconds = 0;                ///< of these, with evidence that can tell idle from busy
  double busy_seconds = 0;                    ///< of these, busy
  double peak = 0;                            ///< the busiest hour's busy share
  BusySignal signal = BusySignal::kSmActive;  ///< the worst of those it is measured by
  Grade grade = Grade::kMeasured;
  bool blind = false;        ///< some of it is GPU_UTIL of a MIG instance, which says nothing
  double tokens = 0;         ///< of all kinds
  Instant quiet_since;       ///< after that no hour was busy and no token came; its end: the end of evidence
  double quiet_seconds = 0;  ///< with evidence since then
  double waiting_seconds = 0;  ///< in which requests were queued: it was full whatever the device says
  DeviceId device;             ///< the first of those it held; not valid: none is known

  double busy_share() const { return measured_seconds > 0 ? busy_seconds / measured_seconds : 0; }
  double measured_share() const { return held_seconds > 0 ? measured_seconds / held_seconds : 0; }
};

/// By PodId; of pods without holdings everything is 0.
std::vector<Activity> activities(const Evidence& evidence);

}  // namespace etiage::explain
