#include "formats/invoice/amount.h"

#include <charconv>

namespace etiage::formats {
namespace {

constexpr int kDecimals = 12;
constexpr PicoAmount kMost = PicoAmount{1'000'000'000'000'000} * 1'000'000'000'000;

}  // namespace

std::optional<PicoAmount> parse_amount(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != text.npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc{} || end != power.data() + power.size()) return {};
    text = text.substr(0, e);
  }
  PicoAmount digits = 0;
  int decimals = 0;
  bool point = false, any = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return {};
    any = true;
    if (digits > kMost && !point) return {};
    if (digits > kMost) continue;  // decimals beyond what counts
    digits = digits * 10 + (c - '0');
    decimals += point ? 1 : 0;
  }
  if (!any) return {};
  int shift = kDecimals - decimals + std::max(-1000, std::min(exponent, 1000));
  for (; shift > 0 && digits != 0; --shift)
    if ((digits *= 10) > kMost) return {};
  for (; shift < 0 && digits != 0; ++shift) digits /= 10;
  if (digits > kMost) return {};
  return negative ? -digits : digits;
}

std::string amount_text(PicoAmount amount) {
  if (amount < 0) return "-" + amount_text(-amount);
  constexpr PicoAmount kOne = 1'000'000'000'000;
  std::string decimals = std::to_string(static_cast<std::int64_t>(amount % kOne));
  decimals.insert(0, kDecimals - decimals.size(), '0');
  decimals.erase(decimals.find_last_not_of('0') + 1);
  const std::string whole = std::to_string(static_cast<std::int64_t>(amount / kOne));
  return decimals.empty() ? whole : whole + "." + decimals;
}

}  // namespace etiage::formats
