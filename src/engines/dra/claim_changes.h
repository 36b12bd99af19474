#pragma once
// Small changes of a claim, or of what others hold, after which it would be allocated. Internal to explain.

#include <vector>

#include "engines/dra/explain.h"

namespace etiage::dra {

/// Each is tried with the allocator itself. At most one of a kind and request, smallest first: fewer devices,
/// a smaller capacity, a toleration, one claim less in the way, one clause less, one constraint less.
std::vector<Change> changes_that_help(Allocator& allocator, const InUse& in_use, const ResourceClaim& claim,
                                      const std::vector<const Node*>& nodes,
                                      const std::vector<RequestExplanation>& requests);

}  // namespace etiage::dra
