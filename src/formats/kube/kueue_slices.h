#pragma once
// The domains of a topology assignment as v1beta2 writes them: what their values have in common once.

#include <vector>

#include "base/tree.h"

namespace etiage::formats::kueue {

/// `slices` of one slice for v1beta1's `domains` of `{values, count}`; empty for none. Each domain has a
/// value for each of `levels` (one that lacks it has an empty one).
Tree slices_of(std::size_t levels, const std::vector<Tree>& domains);

}  // namespace etiage::formats::kueue
