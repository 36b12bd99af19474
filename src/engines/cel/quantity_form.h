#pragma once
// How apimachinery keeps a quantity, which decides whether it counts as a whole number and, in older
// releases, what a sum does to its left side.

#include <string_view>

#include "base/quantity.h"
#include "engines/cel/value.h"

namespace etiage::cel {

/// An int64 and a power of ten, or (`wide`) any number of digits.
struct QuantityForm {
  int scale = 0;
  bool wide = false;
};

/// As the parsed text is kept: by the number of its digits and its suffix.
QuantityForm form_of(std::string_view text);

Value make_quantity(const Quantity& q, QuantityForm form, bool by_pointer = false);
QuantityForm form_of(const Value& quantity);

/// The sum, which shares its digits with `left`: from here to the end of the evaluation that has its amount
/// too.
Value change_quantity(const Value& left, const Quantity& sum, QuantityForm form);
void forget_changed_quantities();

}  // namespace etiage::cel
