#include "engines/cel/quantity_form.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace etiage::cel {

QuantityForm form_of(std::string_view text) {
  if (text == "0") return {};
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  const auto digits = [&] {
    const std::size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view out = text.substr(0, n);
    text.remove_prefix(n);
    return out;
  };
  const std::string_view all = digits();
  const std::size_t zeros = std::min(all.find_first_not_of('0'), all.size());
  const int whole = std::max(static_cast<int>(all.size() - zeros), 1);
  int fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = static_cast<int>(digits().size());
  }
  constexpr int kDigits = 18, kBinaryDigits = 15, kNanoScale = -9;
  if (text.ends_with('i')) {
    constexpr std::string_view kPrefixes = "KMGTPE";
    const int exponent = static_cast<int>(kPrefixes.find(text[0]) + 1) * 10;
    return {0, fraction > 0 || kBinaryDigits - whole - exponent * 3 / 10 - 1 < 0};
  }
  std::int64_t exponent = 0;
  if (text.size() > 1) {
    const std::string_view number = text.substr(text[1] == '+' ? 2 : 1);
    std::from_chars(number.data(), number.data() + number.size(), exponent);
  } else if (!text.empty()) {
    constexpr std::string_view kPrefixes = "num kMGTPE";
    exponent = (static_cast<int>(kPrefixes.find(text[0])) - 3) * 3;
  }
  const int scale = static_cast<int>(std::clamp<std::int64_t>(exponent, -100, 100)) - fraction;
  const bool wide = whole + fraction > kDigits || scale < kNanoScale;
  return {wide ? 0 : scale, wide};
}

}  // namespace etiage::cel
