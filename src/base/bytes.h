#pragma once
// Sizes in bytes and counts of tokens, as types.

#include <compare>
#include <cstdint>

namespace etiage {

struct Bytes {
  std::int64_t count = 0;

  static constexpr Bytes mib(std::int64_t n) { return {n << 20}; }
  static constexpr Bytes gib(std::int64_t n) { return {n << 30}; }
  constexpr double as_gib() const { return static_cast<double>(count) / (1LL << 30); }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes operator+(Bytes o) const { return {count + o.count}; }
  constexpr Bytes operator-(Bytes o) const { return {count - o.count}; }
  constexpr Bytes& operator+=(Bytes o) { return count += o.count, *this; }
  constexpr Bytes operator*(std::int64_t n) const { return {count * n}; }
};

/// Tokens, possibly a fraction: counters are spread evenly over time (RULES.md 3).
struct Tokens {
  double count = 0;

  constexpr auto operator<=>(const Tokens&) const = default;
  constexpr Tokens operator+(Tokens o) const { return {count + o.count}; }
  constexpr Tokens& operator+=(Tokens o) { return count += o.count, *this; }
};

}  // namespace etiage
