#pragma once
// Quota: Kueue's admission, decided as Kueue decides it, version by version.
// The way in is run.h (objects to decisions); scheduler.h is one cycle; quota_tree.h the arithmetic
// underneath. This header: amounts of a resource.

#include <cstdint>
#include <limits>

namespace etiage::quota {

/// Milli-units of `cpu`, whole units of everything else. The largest value means "no limit" and stays so.
using Amount = std::int64_t;
inline constexpr Amount kUnlimited = std::numeric_limits<Amount>::max();
inline constexpr Amount kLowest = std::numeric_limits<Amount>::min();

/// Saturates; no limit plus anything is no limit.
constexpr Amount plus(Amount a, Amount b) {
  if (a == kUnlimited || b == kUnlimited) return kUnlimited;
  Amount sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return a > 0 ? kUnlimited : kLowest;
  return sum;
}

/// Saturates; no limit minus anything bounded is no limit, bounded minus no limit is nothing at all.
constexpr Amount minus(Amount a, Amount b) {
  if (a == kUnlimited) return b == kUnlimited ? 0 : kUnlimited;
  if (b == kUnlimited) return kLowest;
  Amount difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return b < 0 ? kUnlimited : kLowest;
  return difference;
}

constexpr Amount times(Amount a, std::int64_t n) {
  Amount product = 0;
  if (__builtin_mul_overflow(a, n, &product)) return (a < 0) == (n < 0) ? kUnlimited : kLowest;
  return product;
}

}  // namespace etiage::quota
