#pragma once
// Which usable devices a claim's constraints keep apart. Internal to explain.

#include <vector>

#include "engines/dra/explain.h"

namespace etiage::dra {

/// Marks, node by node, devices that lack a constraint's attribute, or differ from (or equal) the first
/// usable one.
void report_constraints(const Allocator& allocator, const ResourceClaim& claim,
                        std::vector<RequestExplanation>& requests);

}  // namespace etiage::dra
