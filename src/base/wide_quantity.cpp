#include "base/wide_quantity.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace etiage {
namespace {

using Format = Quantity::Format;

constexpr const char* kWrongForm =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr const char* kWrongNumber = "unable to parse numeric part of quantity";
constexpr const char* kWrongSuffix = "unable to parse quantity's suffix";
constexpr std::string_view kDigits = "0123456789";

std::string_view take_while(std::string_view& text, std::string_view allowed) {
  const std::string_view taken = text.substr(0, std::min(text.find_first_not_of(allowed), text.size()));
  text.remove_prefix(taken.size());
  return taken;
}

struct Suffix {
  int base;  ///< 2 or 10
  std::int32_t exponent;
  Format format;
};

std::optional<Suffix> interpret(std::string_view text) {
  constexpr std::pair<std::string_view, int> kDecimal[] = {{"n", -9}, {"u", -6}, {"m", -3}, {"", 0},
                                                           {"k", 3},  {"M", 6},  {"G", 9},  {"T", 12},
                                                           {"P", 15}, {"E", 18}};
  constexpr std::pair<std::string_view, int> kBinary[] = {{"Ki", 10}, {"Mi", 20}, {"Gi", 30},
                                                          {"Ti", 40}, {"Pi", 50}, {"Ei", 60}};
  for (const auto& [name, exponent] : kDecimal)
    if (text == name) return Suffix{10, exponent, Format::kDecimalSI};
  for (const auto& [name, exponent] : kBinary)
    if (text == name) return Suffix{2, exponent, Format::kBinarySI};
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return {};
  text.remove_prefix(text[1] == '+' ? 2 : 1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return Suffix{10, static_cast<std::int32_t>(exponent), Format::kDecimalExponent};  // wraps, as in Go
}

/// apimachinery's fast path takes numbers without a digit (`Ki`) for zero; its slow path, for amounts that
/// may pass int64, refuses them.
bool refused_without_digits(const Suffix& suffix) {
  return suffix.base == 2 && suffix.exponent >= 50;
}

const Decimal kLargestBinary = make_decimal(std::int64_t{INT64_MAX}, 0);

std::string with_decimal_exponent(const Decimal& amount, Format format) {
  std::int64_t exponent = amount.exponent - ((amount.exponent % 3) + 3) % 3;
  constexpr std::string_view kSuffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  if (format == Format::kDecimalSI && exponent > 18) exponent = 18;
  const Decimal mantissa{amount.negative, amount.digits, amount.exponent - exponent};
  if (format == Format::kDecimalSI) return whole_text(mantissa) + std::string(kSuffixes[exponent / 3 + 3]);
  return whole_text(mantissa) + (exponent == 0 ? "" : "e" + std::to_string(exponent));
}

std::string with_binary_suffix(Decimal amount) {
  constexpr std::string_view kSuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t power = 0;
  for (; power + 1 < std::size(kSuffixes); ++power) {
    Decimal next = divided_by_1024_if_whole(amount);
    if (next == amount) break;
    amount = std::move(next);
  }
  return whole_text(amount) + std::string(kSuffixes[power]);
}

}  // namespace

Result<WideQuantity> parse_wide_quantity(std::string_view text) {
  if (text.empty()) return failure(kWrongForm);
  std::string_view rest = text;
  const bool negative = rest.front() == '-';
  if (negative || rest.front() == '+') rest.remove_prefix(1);
  const std::string_view whole = take_while(rest, kDigits);
  const bool point = rest.starts_with('.');
  if (point) rest.remove_prefix(1);
  const std::string_view fraction = point ? take_while(rest, kDigits) : "";
  std::string_view tail = rest;
  take_while(tail, "eEinumkKMGTP");
  if (tail.starts_with('-') || tail.starts_with('+')) tail.remove_prefix(1);
  take_while(tail, kDigits);
  if (!tail.empty()) return failure(kWrongForm);
  const auto suffix = interpret(rest);
  if (!suffix) return failure(kWrongSuffix);
  if (whole.empty() && fraction.empty() && refused_without_digits(*suffix)) return failure(kWrongNumber);

  Decimal amount = make_decimal(negative, std::string(whole) + std::string(fraction),
                                -static_cast<std::int64_t>(fraction.size()));
  if (amount.is_zero()) return WideQuantity{amount, suffix->format};
  if (suffix->base == 10) amount.exponent += suffix->exponent;
  if (suffix->base == 2) amount = times_power_of_two(amount, suffix->exponent);
  amount = rounded_away(amount, -9);
  Format format = suffix->format;
  if (format == Format::kBinarySI) {
    const Decimal size{false, amount.digits, amount.exponent};
    if (compare(size, kLargestBinary) > 0)
      amount = {negative, kLargestBinary.digits, kLargestBinary.exponent};
    if (compare(size, Decimal{false, "1", 0}) < 0) format = Format::kDecimalSI;
  }
  return WideQuantity{std::move(amount), format};
}

std::string canonical(const WideQuantity& quantity) {
  const Decimal& amount = quantity.amount;
  if (amount.is_zero()) return "0";
  const Decimal size{false, amount.digits, amount.exponent};
  const bool binary = quantity.format == Format::kBinarySI && amount.exponent >= 0 &&
                      compare(size, Decimal{false, "1024", 0}) >= 0;
  if (binary) return with_binary_suffix(amount);
  return with_decimal_exponent(
      amount, quantity.format == Format::kDecimalExponent ? quantity.format : Format::kDecimalSI);
}

WideQuantity add(const WideQuantity& a, const WideQuantity& b) {
  return {add(a.amount, b.amount), a.amount.is_zero() ? b.format : a.format};
}

WideQuantity subtract(const WideQuantity& a, const WideQuantity& b) {
  return {add(a.amount, negate(b.amount)), a.amount.is_zero() ? b.format : a.format};
}

}  // namespace etiage
