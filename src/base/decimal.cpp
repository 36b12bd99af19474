#include "base/decimal.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace etiage {
namespace {

constexpr std::int64_t kMaxGap = 5000;

/// One past the exponent of the leading digit: 0.1 <= |a| / 10^magnitude < 1.
std::int64_t magnitude(const Decimal& a) {
  return static_cast<std::int64_t>(a.digits.size()) + a.exponent;
}

std::strong_ordering compare_sizes(const Decimal& a, const Decimal& b) {
  if (a.is_zero() || b.is_zero()) return !a.is_zero() <=> !b.is_zero();
  if (magnitude(a) != magnitude(b)) return magnitude(a) <=> magnitude(b);
  return a.digits <=> b.digits;  // no trailing zeros: the text order is the order of the fractions
}

/// Digits of `a` down to 10^exponent, as a text of that many places.
std::string aligned(const Decimal& a, std::int64_t exponent) {
  return a.digits + std::string(static_cast<std::size_t>(a.exponent - exponent), '0');
}

/// big +- small, digit by digit, where big >= small.
std::string combine(std::string big, const std::string& small, bool subtract) {
  int carry = 0;
  for (std::size_t i = 0; i < big.size(); ++i) {
    char& to = big[big.size() - 1 - i];
    const int other = i < small.size() ? small[small.size() - 1 - i] - '0' : 0;
    int digit = to - '0' + (subtract ? -other - carry : other + carry);
    carry = digit < 0 || digit > 9;
    if (carry) digit += subtract ? 10 : -10;
    to = static_cast<char>('0' + digit);
  }
  return carry ? "1" + big : big;
}

}  // namespace

Decimal make_decimal(bool negative, std::string_view digits, std::int64_t exponent) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == digits.npos) return {};
  const std::size_t last = digits.find_last_not_of('0');
  return {negative, std::string(digits.substr(first, last - first + 1)),
          exponent + static_cast<std::int64_t>(digits.size() - 1 - last)};
}

__extension__ Decimal make_decimal(__int128 units, std::int64_t exponent) {
  std::string digits;
  const bool negative = units < 0;
  for (; units != 0; units /= 10) digits += static_cast<char>('0' + (negative ? -(units % 10) : units % 10));
  std::ranges::reverse(digits);
  return make_decimal(negative, digits, exponent);
}

std::strong_ordering compare(const Decimal& a, const Decimal& b) {
  if (a.negative != b.negative) return b.negative <=> a.negative;
  return a.negative ? compare_sizes(b, a) : compare_sizes(a, b);
}

Decimal add(const Decimal& a, const Decimal& b) {
  const bool a_larger = compare_sizes(a, b) >= 0;
  const Decimal& big = a_larger ? a : b;
  const Decimal& small = a_larger ? b : a;
  if (small.is_zero() || magnitude(big) - magnitude(small) > kMaxGap) return big;
  const std::int64_t exponent = std::min(a.exponent, b.exponent);
  return make_decimal(big.negative,
                      combine(aligned(big, exponent), aligned(small, exponent), a.negative != b.negative),
                      exponent);
}

Decimal negate(Decimal a) {
  a.negative = !a.negative && !a.is_zero();
  return a;
}

Decimal times_power_of_two(const Decimal& a, int power) {
  std::string digits(a.digits.rbegin(), a.digits.rend());
  for (int left = power; left > 0; left -= 16) {
    const std::uint64_t factor = std::uint64_t{1} << std::min(left, 16);
    std::uint64_t carry = 0;
    for (char& c : digits) {
      carry += static_cast<std::uint64_t>(c - '0') * factor;
      c = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    for (; carry > 0; carry /= 10) digits += static_cast<char>('0' + carry % 10);
  }
  std::ranges::reverse(digits);
  return make_decimal(a.negative, digits, a.exponent);
}

Decimal rounded_away(const Decimal& a, std::int64_t exponent) {
  if (a.is_zero() || a.exponent >= exponent) return a;
  const std::int64_t kept = magnitude(a) - exponent;  // digits that stay
  if (kept <= 0) return make_decimal(a.negative, "1", exponent);
  const Decimal down = make_decimal(
      a.negative, std::string_view(a.digits).substr(0, static_cast<std::size_t>(kept)), exponent);
  return add(down, Decimal{a.negative, "1", exponent});
}

Decimal divided_by_1024_if_whole(const Decimal& a) {
  if (a.exponent < 0) return a;
  std::string digits = whole_text(a);
  unsigned rest = 0;
  for (char& c : digits) {
    if (c == '-') {
      c = '0';
      continue;
    }
    rest = rest * 10 + static_cast<unsigned>(c - '0');
    c = static_cast<char>('0' + rest / 1024);
    rest %= 1024;
  }
  return rest == 0 ? make_decimal(a.negative, digits, 0) : a;
}

std::string whole_text(const Decimal& a) {
  if (a.is_zero()) return "0";
  return (a.negative ? "-" : "") + a.digits +
         std::string(static_cast<std::size_t>(std::max<std::int64_t>(a.exponent, 0)), '0');
}

std::int64_t to_int64_saturated(const Decimal& a) {
  constexpr std::int64_t kDigits = 19;  // of the largest int64
  const std::int64_t limit =
      a.negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  const Decimal whole = rounded_away(a, 0);
  if (magnitude(whole) > kDigits) return limit;
  const std::string text = whole_text(whole);
  std::int64_t value = 0;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{} ? value : limit;
}

}  // namespace etiage
