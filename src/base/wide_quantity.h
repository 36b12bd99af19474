#pragma once
// Quantities of any size, as Kubernetes parses and prints them; `Quantity` is the same in 128 bits.

#include <compare>
#include <string>
#include <string_view>

#include "base/decimal.h"
#include "base/quantity.h"
#include "base/result.h"

namespace etiage {

struct WideQuantity {
  Decimal amount;
  Quantity::Format format = Quantity::Format::kDecimalSI;

  bool operator==(const WideQuantity&) const = default;
};

/// As apimachinery's ParseQuantity: finer than 1e-9 is rounded away from zero, binary forms are capped at
/// int64, exponents wrap at 32 bits. The message of an error is apimachinery's.
Result<WideQuantity> parse_wide_quantity(std::string_view text);

/// As apimachinery's CanonicalizeBytes, but amounts of 1000E and above keep their suffix (there it is lost).
std::string canonical(const WideQuantity& quantity);

/// The form of the left side, or of the right where the left is zero.
WideQuantity add(const WideQuantity& a, const WideQuantity& b);
WideQuantity subtract(const WideQuantity& a, const WideQuantity& b);

}  // namespace etiage
