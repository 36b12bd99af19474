#pragma once
// Quantities of resources as Kueue counts and prints them.

#include <string>
#include <string_view>

#include "base/quantity.h"
#include "engines/quota/amount.h"

namespace etiage::quota {

/// Milli-units of cpu, whole units of the rest, rounded up; too large a quantity is no limit.
Amount amount_of(std::string_view resource, const Quantity& quantity);
/// The same amount as a quantity in the form that Kueue gives the resource.
Quantity quantity_of(std::string_view resource, Amount amount);
/// `500m`, `2Gi`, `<unlimited>`.
std::string to_text(std::string_view resource, Amount amount);

}  // namespace etiage::quota
