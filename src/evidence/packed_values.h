#pragma once
// The values of a series in little memory, bit for bit.

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.h"

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
  /// What comes together is packed together, unless it is too little to be worth it: then it waits for more.
  void append(std::span<const double> values, Arena& arena);
  std::size_t size() const { return packed_size_ + waiting_.size(); }

  /// Calls `f(double)` for all values in order.
  template <class F>
  void for_each(F&& f) const;
  /// Of all values; nothing where none is a number.
  std::optional<ValueRange> range() const {
    return range_.low <= range_.high ? std::optional(range_) : std::nullopt;
  }

 private:
  enum class Width : std::uint8_t { kConstant, kInt16, kInt32, kDouble };
  /// `count` numbers of that width in the arena; integers are divided by `divisor`.
  struct Piece {
    const char* begin = nullptr;
    std::size_t count = 0;
    Width width = Width::kDouble;
    double divisor = 1;
  };

  template <class Integer, class F>
  static void for_each_quotient(const Piece& piece, F&& f);
  void pack(std::span<const double> values, Arena& arena);
  Piece packed(std::span<const double> values, Arena& arena);

  std::vector<Piece> pieces_;
  std::size_t packed_size_ = 0;
  std::vector<double> waiting_;
  ValueRange range_;
};

template <class Integer, class F>
void PackedValues::for_each_quotient(const Piece& piece, F&& f) {
  const char* at = piece.begin;
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
        std::memcpy(&v, p.begin + i * stride, sizeof v);
        f(v);
      }
    }
  }
  for (const double v : waiting_) f(v);
}

}  // namespace etiage::evidence
