#pragma once
// How Kubernetes keeps a parsed quantity in memory: the allocator recognises a policy's default by that and
// not by the amount (apimachinery, resource.ParseQuantity).

#include <cstdint>
#include <string>
#include <string_view>

#include "base/quantity.h"

namespace etiage::dra {

/// `value` times ten to the `scale`, with the text where that is kept.
struct QuantityForm {
  std::int64_t value = 0;
  std::int32_t scale = 0;
  Quantity::Format format = Quantity::Format::kDecimalSI;
  std::string text;
  bool is_big = false;  ///< kept as a decimal of any length; never the same as another

  bool operator==(const QuantityForm&) const = default;
};

/// `text` must be a quantity.
QuantityForm form_of(std::string_view text);

inline bool is_same_form(const QuantityForm& a, const QuantityForm& b) {
  return !a.is_big && a == b;
}

}  // namespace etiage::dra
