#pragma once
// The search for devices: depth first, the first complete solution wins, as the real one goes; but dead ends
// that cannot end otherwise are left early.

#include <cstdint>
#include <string>
#include <vector>

#include "engines/dra/plan.h"

namespace etiage::dra {

struct TakenDevice {
  Candidate candidate;
  const AskPlan* ask = nullptr;
  bool is_share = false;  ///< the device may be allocated several times
  CapacityMap consumed;
};

struct SearchResult {
  enum class Outcome : std::uint8_t { kFound, kNoSolution, kFault };
  Outcome outcome = Outcome::kNoSolution;
  std::string fault;
  std::vector<std::vector<TakenDevice>> taken;  ///< by claim
  std::uint64_t steps = 0;                      ///< calls of the recursion, ours
};

/// Beyond this many steps the search is given up with a fault: the scheduler would have timed out long
/// before.
inline constexpr std::uint64_t kMaxSteps = 20'000'000;

SearchResult search_devices(const Scene& scene, const std::vector<ClaimPlan>& claims);

}  // namespace etiage::dra
