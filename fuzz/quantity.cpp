// Quantities: what parses prints itself canonically, and the canonical form reads back as the same amount.

#include "base/quantity.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/wide_quantity.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto narrow = Quantity::parse(input);
  const auto wide = parse_wide_quantity(input);
  if (narrow.has_value() != wide.has_value()) std::abort();
  if (!wide) return 0;
  to_int64_saturated(wide->amount);
  if (wide->amount.exponent > 1000) return 0;  // prints as many zeros with a DecimalSI suffix
  const auto back = parse_wide_quantity(canonical(*wide));
  if (!back || back->amount != wide->amount) std::abort();
  if (Quantity::parse(narrow->canonical()) != *narrow) std::abort();
  return 0;
}
