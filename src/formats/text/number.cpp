#include "formats/text/number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace etiage::formats::text {
namespace {

// Powers of ten that a double holds exactly: with a mantissa below 2^53 one multiplication or division rounds
// right (Clinger 1990).
constexpr std::array<double, 23> kExactTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t kExactMantissa = std::uint64_t{1} << 53;

constexpr bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

/// Digits at `p` added to `mantissa` (which may overflow: the caller counts them).
const char* digits(const char* p, const char* end, std::uint64_t& mantissa) {
  for (; p < end && is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<unsigned char>(*p - '0');
  return p;
}

/// `e+07` at `p`, added to `exponent`; null where the letter is not followed by digits.
const char* exponent_part(const char* p, const char* end, int& exponent) {
  ++p;
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  const char* const first = p;
  int n = 0;
  for (; p < end && is_digit(*p); ++p) n = std::min(n * 10 + (*p - '0'), 100'000);
  exponent += negative ? -n : n;
  return p == first ? nullptr : p;
}

struct Decimal {
  const char* next = nullptr;
  bool negative = false;
  bool exact = false;  ///< mantissa * 10^exponent is the number
  std::uint64_t mantissa = 0;
  int exponent = 0;
  int magnitude = 0;  ///< the number is near 10^magnitude: tells overflow from underflow
};

/// A decimal of the usual form; `next` is null where none stands there.
Decimal read_decimal(const char* p, const char* end) {
  Decimal d;
  if (p < end && (*p == '-' || *p == '+')) d.negative = *p++ == '-';
  const char* const whole = p;
  p = digits(p, end, d.mantissa);
  std::ptrdiff_t count = p - whole;
  d.magnitude = static_cast<int>(std::min<std::ptrdiff_t>(count, 1'000'000));
  if (p < end && *p == '.') {
    const char* const fraction = ++p;
    p = digits(p, end, d.mantissa);
    count += p - fraction;
    d.exponent = -static_cast<int>(std::min<std::ptrdiff_t>(p - fraction, 1'000'000));
  }
  if (count == 0) return d;
  int e = 0;
  if (p < end && (*p | 0x20) == 'e' && (p = exponent_part(p, end, e)) == nullptr) return d;
  d.exponent += e;
  d.magnitude += e;
  d.exact = count <= 19;
  d.next = p;
  return d;
}

double signed_value(bool negative, double v) {
  return negative ? -v : v;
}

/// The same token by the standard's correctly rounding reader; it knows no plus sign and no leading point
/// trouble.
std::expected<double, NumberFault> read_slow(const char* begin, const Decimal& d) {
  if (*begin == '+' || *begin == '-') ++begin;
  double v = 0;
  const auto [next, ec] = std::from_chars(begin, d.next, v);
  if (ec == std::errc::result_out_of_range || (ec == std::errc() && std::isinf(v))) {
    if (d.magnitude > 0) return std::unexpected(NumberFault::kRange);
    v = 0;
  } else if (ec != std::errc() || next != d.next) {
    return std::unexpected(NumberFault::kSyntax);
  }
  return signed_value(d.negative, v);
}

std::expected<double, NumberFault> value_of(const char* begin, const Decimal& d) {
  if (d.exact && d.mantissa < kExactMantissa && d.exponent >= -22 && d.exponent <= 22) {
    const auto m = static_cast<double>(d.mantissa);
    const double ten = kExactTen[static_cast<std::size_t>(std::abs(d.exponent))];
    return signed_value(d.negative, d.exponent < 0 ? m / ten : m * ten);
  }
  return read_slow(begin, d);
}

/// mantissa * 10^exponent, cut.
std::int64_t scaled_by_ten(std::uint64_t mantissa, int exponent) {
  for (; exponent > 0; --exponent) mantissa *= 10;
  for (; exponent < 0; ++exponent) mantissa /= 10;
  return static_cast<std::int64_t>(mantissa);
}

bool equal_fold(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) { return (a | 0x20) == b && a != (b ^ 0x60); });
}

std::expected<double, NumberFault> parse_word(std::string_view token) {
  if (equal_fold(token, "nan")) return std::bit_cast<double>(kNormalNaN);
  const bool negative = token.starts_with('-');
  if (negative || token.starts_with('+')) token.remove_prefix(1);
  if (!equal_fold(token, "inf") && !equal_fold(token, "infinity"))
    return std::unexpected(NumberFault::kSyntax);
  return signed_value(negative, std::numeric_limits<double>::infinity());
}

bool ends_token(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

std::expected<double, NumberFault> parse_float(std::string_view token) {
  const char* const end = token.data() + token.size();
  const Decimal d = read_decimal(token.data(), end);
  if (d.next == nullptr) return parse_word(token);
  if (d.next != end) return std::unexpected(NumberFault::kSyntax);
  return value_of(token.data(), d);
}

ReadNumber read_float(const char* p, const char* end) {
  const Decimal d = read_decimal(p, end);
  if (d.next != nullptr && (d.next == end || ends_token(*d.next))) {
    const auto v = value_of(p, d);
    return v ? ReadNumber{d.next, *v} : ReadNumber{};
  }
  const char* const next = std::find_if(p, end, ends_token);
  const auto v = parse_float({p, next});
  return v ? ReadNumber{next, *v} : ReadNumber{};
}

ReadStamp read_stamp(const char* p, const char* end, bool always_seconds) {
  const Decimal d = read_decimal(p, end);
  if (d.next == nullptr || (d.next < end && !ends_token(*d.next))) return {};
  constexpr std::uint64_t kFirstMillis = 100'000'000'000;
  const bool seconds = always_seconds || d.exponent != 0 || d.mantissa < kFirstMillis;
  if (d.exact && d.mantissa < kExactMantissa && (!seconds || (d.exponent <= 0 && d.exponent >= -18))) {
    const std::int64_t ms =
        seconds ? scaled_by_ten(d.mantissa, d.exponent + 3) : static_cast<std::int64_t>(d.mantissa);
    return {d.next, d.negative ? -ms : ms};
  }
  const auto v = value_of(p, d);
  if (!v || !(std::abs(*v) < 9e15)) return {};
  return {d.next, static_cast<std::int64_t>(seconds ? *v * 1000 : *v)};
}

}  // namespace etiage::formats::text
