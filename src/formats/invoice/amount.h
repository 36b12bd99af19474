#pragma once
// Amounts of money as invoices write them.

#include <optional>
#include <string>
#include <string_view>

#include "model/invoice.h"

namespace etiage::formats {

/// Decimal text, sign and exponent allowed, no thousands separators; what is finer than 1e-12 is cut off.
/// Nothing where it is no number or above 1e15.
std::optional<PicoAmount> parse_amount(std::string_view text);
/// `-12.5`: what `parse_amount` reads back.
std::string amount_text(PicoAmount amount);

}  // namespace etiage::formats
