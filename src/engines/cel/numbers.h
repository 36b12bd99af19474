#pragma once
// Arithmetic over int, uint and double: checked, and compared on one number line.

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

#include "engines/cel/value.h"

namespace etiage::cel {

inline bool is_number(const Value& v) {
  return v.kind() == Kind::kInt || v.kind() == Kind::kUint || v.kind() == Kind::kDouble;
}

/// The int64 that a double is, if it is one. The largest int64 itself is not reached, as in cel-go.
inline std::optional<std::int64_t> to_int(double d) {
  if (std::isnan(d) || d <= -9223372036854775808.0 || d >= 9223372036854775808.0) return std::nullopt;
  return static_cast<std::int64_t>(d);
}
inline std::optional<std::uint64_t> to_uint(double d) {
  if (std::isnan(d) || d < 0 || d >= 18446744073709551616.0) return std::nullopt;
  return static_cast<std::uint64_t>(d);
}
inline std::optional<std::int64_t> exact_int(double d) {
  const auto i = to_int(d);
  return i && static_cast<double>(*i) == d ? i : std::nullopt;
}
inline std::optional<std::uint64_t> exact_uint(double d) {
  const auto u = to_uint(d);
  return u && static_cast<double>(*u) == d ? u : std::nullopt;
}

inline std::partial_ordering order_double_int(double d, std::int64_t i) {
  if (d < -9223372036854775808.0) return std::partial_ordering::less;
  if (d > 9223372036854775807.0) return std::partial_ordering::greater;
  return d <=> static_cast<double>(i);
}
inline std::partial_ordering order_double_uint(double d, std::uint64_t u) {
  if (d < 0) return std::partial_ordering::less;
  if (d > 18446744073709551615.0) return std::partial_ordering::greater;
  return d <=> static_cast<double>(u);
}
inline std::partial_ordering order_int_uint(std::int64_t i, std::uint64_t u) {
  if (i < 0) return std::partial_ordering::less;
  return static_cast<std::uint64_t>(i) <=> u;
}
inline std::partial_ordering reversed(std::partial_ordering o) {
  return o < 0 ? std::partial_ordering::greater : o > 0 ? std::partial_ordering::less : o;
}

/// Both must be numbers; unordered where one is NaN.
inline std::partial_ordering number_order(const Value& a, const Value& b) {
  switch (a.kind()) {
    case Kind::kInt:
      if (b.is(Kind::kInt)) return a.as_int() <=> b.as_int();
      if (b.is(Kind::kUint)) return order_int_uint(a.as_int(), b.as_uint());
      return reversed(order_double_int(b.as_double(), a.as_int()));
    case Kind::kUint:
      if (b.is(Kind::kUint)) return a.as_uint() <=> b.as_uint();
      if (b.is(Kind::kInt)) return reversed(order_int_uint(b.as_int(), a.as_uint()));
      return reversed(order_double_uint(b.as_double(), a.as_uint()));
    default:
      if (b.is(Kind::kDouble)) return a.as_double() <=> b.as_double();
      if (b.is(Kind::kInt)) return order_double_int(a.as_double(), b.as_int());
      return order_double_uint(a.as_double(), b.as_uint());
  }
}

}  // namespace etiage::cel
