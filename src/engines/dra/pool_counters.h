#pragma once
// The shared counters of a pool: which exist, which devices take from them. Internal to pools.

#include "engines/dra/pools.h"

namespace etiage::dra {

/// Fills the pool's one layout from its counter sets. Marks the pool invalid where a set stands twice, or a
/// device in `checked` or elsewhere in the pool takes from a counter that does not exist.
void lay_out_counters(Pool& pool, const Fleet& fleet, const std::vector<std::uint32_t>& checked);
/// 1.34: each slice has its own counters, nothing is checked.
void lay_out_counters_by_slice(Pool& pool, const Fleet& fleet);
/// What each listed device takes from its layout; what the layout does not have is left out.
void resolve_uses(Pool& pool);
/// The layout that a device of that slice belongs to.
std::uint32_t layout_of(const Pool& pool, std::uint32_t slice);

}  // namespace etiage::dra
