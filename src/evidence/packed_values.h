#pragma once
// The values of a series in little memory, bit for bit.

#include <cstdint>
#include <span>
#include <vector>

#include "formats/samples.h"

namespace etiage::evidence {

/// Most series are counts, or ratios of few decimals: these fit into 0, 2 or 4 bytes a value. Others stay
/// doubles.
class PackedValues {
 public:
  void push(double value) { open_.push_back(value); }
  void push(std::span<const double> values) { open_.insert(open_.end(), values.begin(), values.end()); }
  void push(std::span<const formats::Sample> samples);
  std::size_t size() const { return sealed_size_ + open_.size(); }

  /// No more values are coming for a while: packs what has gathered, unless that is too little to be worth
  /// it.
  void seal();

  /// All values in order.
  void append_to(std::vector<double>& out) const;

 private:
  enum class Width : std::uint8_t { kConstant, kInt16, kInt32, kDouble };
  /// `count` numbers of that width at `begin` in `bytes_`; integers are divided by `divisor`.
  struct Piece {
    std::size_t begin = 0;
    std::size_t count = 0;
    Width width = Width::kDouble;
    double divisor = 1;
  };

  void store(Piece piece);
  static bool fit(std::span<const double> values, double divisor, std::int64_t& most);

  std::vector<Piece> pieces_;
  std::vector<char> bytes_;
  std::size_t sealed_size_ = 0;
  std::vector<double> open_;  ///< not packed yet
};

}  // namespace etiage::evidence
