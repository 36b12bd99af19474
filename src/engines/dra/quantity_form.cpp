#include "engines/dra/quantity_form.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace etiage::dra {
namespace {

using Format = Quantity::Format;

struct Suffix {
  Format format;
  std::int32_t exponent;  ///< of ten, or of two for BinarySI
};

std::optional<Suffix> suffix_of(std::string_view text) {
  constexpr std::string_view kDecimal = "num kMGTPE", kBinary = "KMGTPE";
  if (text.empty()) return Suffix{Format::kDecimalSI, 0};
  if (text.size() == 2 && text[1] == 'i') {
    const auto place = kBinary.find(text[0]);
    if (place == kBinary.npos) return std::nullopt;
    return Suffix{Format::kBinarySI, 10 * (static_cast<std::int32_t>(place) + 1)};
  }
  if (text.size() == 1 && text[0] != ' ')
    if (const auto place = kDecimal.find(text[0]); place != kDecimal.npos)
      return Suffix{Format::kDecimalSI, 3 * (static_cast<std::int32_t>(place) - 3)};
  std::int32_t exponent = 0;
  std::string_view digits = text.substr(1);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if ((text[0] != 'e' && text[0] != 'E') || fault != std::errc{} || end != digits.data() + digits.size())
    return std::nullopt;
  return Suffix{Format::kDecimalExponent, exponent};
}

std::string_view take_digits(std::string_view& text) {
  const std::size_t n = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

const QuantityForm kBig{0, 0, Format::kDecimalSI, {}, true};

/// How many digits the fast path still has room for; below zero: none.
std::int32_t spare_digits(const Suffix& suffix, std::size_t whole, std::size_t fraction) {
  if (suffix.format != Format::kBinarySI) return 18 - static_cast<std::int32_t>(whole + fraction);
  if (fraction > 0) return -1;
  return 15 - static_cast<std::int32_t>(whole) -
         static_cast<std::int32_t>(static_cast<float>(suffix.exponent) * 3 / 10) - 1;
}

bool keeps_text(const Suffix& suffix, std::int64_t digits, std::int32_t scale, std::string_view shifted) {
  if (suffix.format == Format::kBinarySI) return (digits & 7) != 0;
  return scale % 3 == 0 && !shifted.ends_with("000") && shifted[0] != '0';
}

}  // namespace

QuantityForm form_of(std::string_view text) {
  if (text == "0") return {0, 0, Format::kDecimalSI, "0", false};
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  rest.remove_prefix(std::min(rest.find_first_not_of('0'), rest.size()));
  std::string whole(take_digits(rest));
  if (whole.empty()) whole = "0";
  std::string fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  const auto suffix = suffix_of(rest);
  if (!suffix || spare_digits(*suffix, whole.size(), fraction.size()) < 0) return kBig;
  const std::int32_t scale = (suffix->format == Format::kBinarySI ? 0 : suffix->exponent) -
                             static_cast<std::int32_t>(fraction.size());
  if (scale < -9) return kBig;
  const std::string shifted = whole + fraction;
  std::int64_t digits = 0, value = 0;
  std::from_chars(shifted.data(), shifted.data() + shifted.size(), digits);
  const std::int64_t factor = suffix->format == Format::kBinarySI ? std::int64_t{1} << suffix->exponent : 1;
  if (__builtin_mul_overflow(digits, factor, &value)) return kBig;
  return {negative ? -value : value, scale, suffix->format,
          keeps_text(*suffix, digits, scale, shifted) ? std::string(text) : std::string(), false};
}

}  // namespace etiage::dra
