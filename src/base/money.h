#pragma once
// Exact money: integer micro-units of one currency; no floating point decides a printed figure.

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"

namespace etiage {

/// An amount in micro-units (1e-6) of the report's currency.
struct Money {
  std::int64_t micro = 0;

  constexpr auto operator<=>(const Money&) const = default;
  constexpr Money operator+(Money o) const { return {micro + o.micro}; }
  constexpr Money operator-(Money o) const { return {micro - o.micro}; }
  constexpr Money operator-() const { return {-micro}; }
  constexpr Money& operator+=(Money o) { return micro += o.micro, *this; }
  constexpr Money& operator-=(Money o) { return micro -= o.micro, *this; }
  constexpr double units() const { return static_cast<double>(micro) / 1e6; }
};

/// A price per hour in 1e-12 of the currency, so that list prices of twelve decimals stay exact (up to 9.2
/// million an hour).
struct HourlyPrice {
  std::int64_t pico = 0;

  constexpr auto operator<=>(const HourlyPrice&) const = default;
  constexpr HourlyPrice operator+(HourlyPrice o) const { return {pico + o.pico}; }
  constexpr HourlyPrice operator*(std::int64_t n) const { return {pico * n}; }
  constexpr double units() const { return static_cast<double>(pico) / 1e12; }
};

/// Decimal text, sign and exponent allowed; nothing where it is no number, negative, or beyond the range.
std::optional<HourlyPrice> parse_price(std::string_view text);

/// What `price` costs for `time`: exact in 128 bits, rounded once, half to even.
Money cost_of(HourlyPrice price, Duration time);

/// Plain decimal without trailing zeros, at most six decimals: `12.5`, `0.000001`, `-3`.
std::string to_string(Money amount);
std::string to_string(HourlyPrice price);

/// Rounds `exact` amounts (micro-units, not negative, summing to `total` up to its own rounding) so that they
/// sum to `total`: each is rounded down, what is missing goes to the largest remainders, ties to the lower
/// index. Remainders closer than 1e-7 of a micro-unit count as equal, so that a tie is decided by the key and
/// not by the last bit of a sum.
std::vector<Money> apportion(Money total, std::span<const long double> exact);

/// Splits `total` in proportion to `weights` (not negative) by largest remainder. Where all weights are zero
/// the first part takes all. One part a weight, summing to `total` exactly.
std::vector<Money> split(Money total, std::span<const long double> weights);

}  // namespace etiage
