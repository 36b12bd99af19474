#pragma once
// A price list with other names.

#include <set>
#include <string>

#include "formats/bundle/names.h"
#include "model/prices.h"

namespace etiage::formats::bundle {

/// As YAML. Rows by card keep their card; `products`: the cards that nodes name, which a row's `name` may
/// mean too. Where the prices came from is left out.
std::string disguised_prices(const PriceBook& book, const std::set<std::string, std::less<>>& products,
                             const Rename& rename);

}  // namespace etiage::formats::bundle
