#include "base/quantity.h"

#include <charconv>
#include <limits>
#include <optional>

#include "base/wide_quantity.h"

namespace etiage {
namespace {

using Nano = Quantity::Nano;

constexpr Nano kNanos = 1'000'000'000;

Nano power_of_ten(int n) {
  return n == 0 ? 1 : 10 * power_of_ten(n - 1);
}

/// Plain whole numbers with the usual suffixes, which nearly all are.
std::optional<Quantity> parse_simple(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0 || number > 999'999'999'999) return {};
  const std::string_view suffix(end, text.data() + text.size());
  if (suffix.empty()) return Quantity::units(number);
  if (suffix == "m") return Quantity::milli(number);
  if (suffix == "Ki") return Quantity::units(number << 10, Quantity::Format::kBinarySI);
  if (suffix == "Mi") return Quantity::units(number << 20, Quantity::Format::kBinarySI);
  if (suffix == "Gi" && number < 1'000'000'000)
    return Quantity::units(number << 30, Quantity::Format::kBinarySI);
  return {};
}

std::int64_t divided_away(Nano nano, Nano unit) {
  const Nano whole = nano / unit + (nano % unit > 0 ? 1 : nano % unit < 0 ? -1 : 0);
  constexpr Nano kMax = std::numeric_limits<std::int64_t>::max(),
                 kMin = std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(whole > kMax ? kMax : whole < kMin ? kMin : whole);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  if (const auto simple = parse_simple(text)) return *simple;
  const auto wide = parse_wide_quantity(text);
  if (!wide) return std::unexpected(wide.error());
  const auto& [amount, format] = *wide;
  const std::int64_t places =
      static_cast<std::int64_t>(amount.digits.size()) + amount.exponent + 9;  // of the nanos
  Nano nano = kLimit;
  if (places <= 30) {
    nano = 0;
    for (const char c : amount.digits) nano = nano * 10 + (c - '0');
    nano *= power_of_ten(static_cast<int>(amount.exponent + 9));
  }
  return Quantity{amount.negative ? -nano : nano, format};
}

std::int64_t Quantity::value() const {
  return divided_away(nano_, kNanos);
}
std::int64_t Quantity::milli_value() const {
  return divided_away(nano_, kNanos / 1000);
}
std::string Quantity::canonical() const {
  return etiage::canonical({make_decimal(nano_, -9), format_});
}

}  // namespace etiage
