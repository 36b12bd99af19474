#include "evidence/packed_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

namespace etiage::evidence {
namespace {

constexpr std::size_t kWorthPacking = 256;
constexpr double kDivisors[] = {1, 10'000};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The integer that divided by `divisor` is `value`, if there is one; only for values within int32.
std::int32_t nearest(double value, double divisor) {
  return static_cast<std::int32_t>(value * divisor + (value < 0 ? -0.5 : 0.5));
}

template <class Integer>
char* put_integers(std::span<const double> values, double divisor, Arena& arena) {
  char* const begin = arena.take(values.size() * sizeof(Integer));
  char* at = begin;
  for (const double v : values) {
    const auto k = static_cast<Integer>(nearest(v, divisor));
    std::memcpy(at, &k, sizeof k);
    at += sizeof k;
  }
  return begin;
}

char* put_doubles(std::span<const double> values, Arena& arena) {
  char* const begin = arena.take(values.size_bytes());
  std::memcpy(begin, values.data(), values.size_bytes());
  return begin;
}

struct IntegerRange {
  std::int32_t low = INT32_MAX, high = INT32_MIN;
};

/// The range of the integers that the values are over `divisor`, if they all are.
std::optional<IntegerRange> integers(std::span<const double> values, double divisor) {
  constexpr double kLimit = 2'147'483'000;
  IntegerRange out;
  for (const double v : values) {
    if (!(std::abs(v) * divisor < kLimit)) return {};
    const std::int32_t k = nearest(v, divisor);
    if (!same_bits(k / divisor, v)) return {};
    out.low = std::min(out.low, k);
    out.high = std::max(out.high, k);
  }
  return out;
}

}  // namespace

/// Packs the values and notes their range.
PackedValues::Piece PackedValues::packed(std::span<const double> values, Arena& arena) {
  const std::size_t count = values.size();
  if (std::ranges::all_of(values, [&](double v) { return same_bits(v, values.front()); })) {
    range_.add(values.front());
    return {put_doubles(values.first(1), arena), count, Width::kConstant};
  }
  for (const double divisor : kDivisors)
    if (const auto range = integers(values, divisor)) {
      range_.add(range->low / divisor);
      range_.add(range->high / divisor);
      if (range->low >= INT16_MIN && range->high <= INT16_MAX)
        return {put_integers<std::int16_t>(values, divisor, arena), count, Width::kInt16, divisor};
      return {put_integers<std::int32_t>(values, divisor, arena), count, Width::kInt32, divisor};
    }
  for (const double v : values) range_.add(v);
  return {put_doubles(values, arena), count, Width::kDouble};
}

void PackedValues::pack(std::span<const double> values, Arena& arena) {
  pieces_.push_back(packed(values, arena));
  packed_size_ += values.size();
}

void PackedValues::append(std::span<const double> values, Arena& arena) {
  if (waiting_.empty() && values.size() >= kWorthPacking) return pack(values, arena);
  for (const double v : values) range_.add(v);
  waiting_.insert(waiting_.end(), values.begin(), values.end());
  if (waiting_.size() < kWorthPacking) return;
  pack(waiting_, arena);
  std::vector<double>().swap(waiting_);
}

}  // namespace etiage::evidence
