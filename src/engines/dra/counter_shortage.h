#pragma once
// Which shared counter keeps a device from being taken, and by how much.

#include <optional>
#include <string>

#include "engines/dra/counters.h"
#include "engines/dra/plan.h"

namespace etiage::dra {

struct CounterShortage {
  std::string counter;  ///< `set/counter`
  Quantity missing;
};

/// Of the device alone, beside what `tables` have lost already; they are left as they were. The counter that
/// misses most.
std::optional<CounterShortage> counter_shortage(const Scene& scene, const Candidate& candidate,
                                                CounterTables& tables);

}  // namespace etiage::dra
