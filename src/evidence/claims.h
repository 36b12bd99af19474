#pragma once
// Devices that pods hold by ResourceClaim: what was allocated to each, and what of it is theirs. Labels of
// exporters are not trusted for these: they name the parent card, or nobody.

#include <map>
#include <string>
#include <vector>

#include "model/evidence.h"

namespace etiage::evidence {

struct Draft;

struct ClaimedDevice {
  std::string uuid;     ///< of the physical card, empty where the slice does not tell
  std::string profile;  ///< MIG profile, or empty
  double share = 1;     ///< of the card, divided by the claim's consumers (RULES.md 9)
};

/// By pod. Admin access holds nothing.
std::map<PodId, std::vector<ClaimedDevice>> claimed_devices(const Draft& draft);

/// Cards that nodes offer by ResourceSlice and declare nowhere else. A MIG card is one, whatever is published
/// of it.
void add_sliced_cards(Draft& draft);

}  // namespace etiage::evidence
