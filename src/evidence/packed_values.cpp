#include "evidence/packed_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

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
void append_integers(std::vector<char>& bytes, std::span<const double> values, double divisor) {
  const std::size_t from = bytes.size();
  bytes.resize(from + values.size() * sizeof(Integer));
  char* at = bytes.data() + from;
  for (const double v : values) {
    const auto k = static_cast<Integer>(nearest(v, divisor));
    std::memcpy(at, &k, sizeof k);
    at += sizeof k;
  }
}

}  // namespace

void PackedValues::push(double value) {
  open_.push_back(value);
  range_.add(value);
}

void PackedValues::push(std::span<const formats::Sample> samples) {
  const std::size_t from = open_.size();
  open_.resize(from + samples.size());
  double* to = open_.data() + from;
  ValueRange range = range_;
  for (const formats::Sample& s : samples) {
    *to++ = s.value;
    range.add(s.value);
  }
  range_ = range;
}

/// Whether all are integers over `divisor`; `most` is the largest of these by magnitude.
bool PackedValues::fit(std::span<const double> values, double divisor, std::int64_t& most) {
  constexpr double kLimit = 2'147'483'000;
  std::int32_t low = 0, high = 0;
  for (const double v : values) {
    if (!(std::abs(v) * divisor < kLimit)) return false;
    const std::int32_t k = nearest(v, divisor);
    if (!same_bits(k / divisor, v)) return false;
    low = std::min(low, k);
    high = std::max(high, k);
  }
  most = std::max<std::int64_t>(high, -std::int64_t{low});
  return true;
}

void PackedValues::store(Piece piece) {
  const std::span<const double> values = open_;
  const auto append_doubles = [&](std::span<const double> some) {
    const auto* raw = reinterpret_cast<const char*>(some.data());
    bytes_.insert(bytes_.end(), raw, raw + some.size_bytes());
  };
  if (piece.width == Width::kConstant) append_doubles(values.first(1));
  if (piece.width == Width::kInt16) append_integers<std::int16_t>(bytes_, values, piece.divisor);
  if (piece.width == Width::kInt32) append_integers<std::int32_t>(bytes_, values, piece.divisor);
  if (piece.width == Width::kDouble) append_doubles(values);
  pieces_.push_back(piece);
}

void PackedValues::seal() {
  if (open_.size() < kWorthPacking) return;
  Piece piece{.begin = bytes_.size(), .count = open_.size()};
  if (std::ranges::all_of(open_, [&](double v) { return same_bits(v, open_.front()); })) {
    piece.width = Width::kConstant;
  } else {
    for (const double divisor : kDivisors)
      if (std::int64_t most = 0; fit(open_, divisor, most)) {
        piece.width = most <= INT16_MAX ? Width::kInt16 : Width::kInt32;
        piece.divisor = divisor;
        break;
      }
  }
  store(piece);
  sealed_size_ += open_.size();
  std::vector<double>().swap(open_);
}

}  // namespace etiage::evidence
