#pragma once
// App: one function per question that a user asks; wires what reads to what decides to what prints.
// This header: `etiage inspect --quantity`.

#include <cstdint>
#include <string>
#include <string_view>

namespace etiage::app {

/// What Kubernetes makes of a quantity.
struct QuantityAnswer {
  bool ok = false;
  std::string canonical;
  std::int64_t value = 0;        ///< whole units, rounded away from zero
  std::int64_t milli_value = 0;  ///< thousandths, likewise
  std::string error;             ///< apimachinery's words where it is refused
};

QuantityAnswer inspect_quantity(std::string_view text);

/// `{ok, canonical, value, milliValue, error}`; what does not apply is null.
std::string to_json(const QuantityAnswer& answer);

}  // namespace etiage::app
