#pragma once
// The values of a series in little memory, bit for bit.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "formats/samples.h"

namespace etiage::evidence {

/// The least and the largest of some values that are numbers.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

/// Most series are counts, or ratios of few decimals: these fit into 0, 2 or 4 bytes a value. Others stay
/// doubles.
class PackedValues {
 public:
  void push(double value);
  void push(std::span<const formats::Sample> samples);
  std::size_t size() const { return sealed_size_ + open_.size(); }

  /// No more values are coming for a while: packs what has gathered, unless that is too little to be worth
  /// it.
  void seal();

  /// Calls `f(double)` for all values in order.
  template <class F>
  void for_each(F&& f) const;
  /// Of all values; nothing where none is a number.
  std::optional<ValueRange> range() const {
    return range_.low <= range_.high ? std::optional(range_) : std::nullopt;
  }

 private:
  enum class Width : std::uint8_t { kConstant, kInt16, kInt32, kDouble };
  /// `count` numbers of that width at `begin` in `bytes_`; integers are divided by `divisor`.
  struct Piece {
    std::size_t begin = 0;
    std::size_t count = 0;
    Width width = Width::kDouble;
    double divisor = 1;
  };

  template <class Integer, class F>
  void for_each_quotient(const Piece& piece, F&& f) const;
  void store(Piece piece);
  static bool fit(std::span<const double> values, double divisor, std::int64_t& most);

  std::vector<Piece> pieces_;
  std::vector<char> bytes_;
  std::size_t sealed_size_ = 0;
  std::vector<double> open_;  ///< not packed yet
  ValueRange range_;
};

template <class Integer, class F>
void PackedValues::for_each_quotient(const Piece& piece, F&& f) const {
  const char* at = bytes_.data() + piece.begin;
  for (std::size_t i = 0; i < piece.count; ++i, at += sizeof(Integer)) {
    Integer k;
    std::memcpy(&k, at, sizeof k);
    f(piece.divisor == 1 ? k : k / piece.divisor);
  }
}

template <class F>
void PackedValues::for_each(F&& f) const {
  for (const Piece& p : pieces_) {
    if (p.width == Width::kInt16) {
      for_each_quotient<std::int16_t>(p, f);
    } else if (p.width == Width::kInt32) {
      for_each_quotient<std::int32_t>(p, f);
    } else {
      const std::size_t stride = p.width == Width::kConstant ? 0 : sizeof(double);
      for (std::size_t i = 0; i < p.count; ++i) {
        double v = 0;
        std::memcpy(&v, bytes_.data() + p.begin + i * stride, sizeof v);
        f(v);
      }
    }
  }
  for (const double v : open_) f(v);
}

}  // namespace etiage::evidence
