#pragma once
// Decimal numbers of any length, exact; for the few places where 128 bits do not suffice.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace etiage {

/// digits x 10^exponent. Normal form: no zeros at either end of `digits`; zero has no digits, exponent 0 and
/// no sign.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;

  bool operator==(const Decimal&) const = default;
  bool is_zero() const { return digits.empty(); }
};

/// `digits` may begin or end with zeros, and may be empty.
Decimal make_decimal(bool negative, std::string_view digits, std::int64_t exponent);
__extension__ Decimal make_decimal(__int128 units, std::int64_t exponent);

std::strong_ordering compare(const Decimal& a, const Decimal& b);
/// Where the two lie more than 5,000 digits apart, the smaller is lost.
Decimal add(const Decimal& a, const Decimal& b);
Decimal negate(Decimal a);
Decimal times_power_of_two(const Decimal& a, int power);

/// The next multiple of 10^exponent, away from zero.
Decimal rounded_away(const Decimal& a, std::int64_t exponent);
/// a / 2^10 where that is a whole number, else `a` itself.
Decimal divided_by_1024_if_whole(const Decimal& a);

/// Without exponent: as many zeros as it takes; callers look at the exponent first.
std::string whole_text(const Decimal& a);
/// Rounded away from zero to a whole number, then clamped to int64.
std::int64_t to_int64_saturated(const Decimal& a);

}  // namespace etiage
