#pragma once
// The two shapes of a price list, each put into rows.

#include <string>
#include <string_view>

#include "formats/price_rows.h"

namespace etiage::formats {

void read_price_table(std::string_view csv, const std::string& file, PriceRows& rows);
void read_price_document(std::string_view yaml, const std::string& file, PriceRows& rows,
                         Diagnostics& diagnostics);

}  // namespace etiage::formats
