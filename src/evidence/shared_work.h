#pragma once
// What several holders of one device did of its work (RULES.md 12).

#include <vector>

#include "evidence/draft.h"

namespace etiage::evidence {

/// Divides the device's work in each interval by what its holders did, where every one of them has a weight
/// of its own; else each keeps the device's busy share. `works` are of holders of one device.
void share_out(const Draft& draft, std::vector<Work>& works);

}  // namespace etiage::evidence
