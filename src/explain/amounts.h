#pragma once
// Amounts of resources as kube-scheduler counts them, for people.

#include <string>

#include "engines/placement/kube/shape.h"

namespace etiage::explain {

/// What the scheduler counts in thousandths of a CPU or in whole units.
Quantity amount_of(placement::ResourceIndex resource, std::int64_t counted);
/// `500m cpu`, `64Gi of memory`, `2 nvidia.com/gpu`; without a name the amount alone.
std::string amount_text(placement::ResourceIndex resource, std::int64_t counted, const std::string& name);

}  // namespace etiage::explain
