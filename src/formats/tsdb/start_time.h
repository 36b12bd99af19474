#pragma once
// The start times that newer encodings put behind samples (XOR2, histogramST). Étiage has no use for them,
// but must step over their bits.

#include <cstdint>

#include "formats/tsdb/bit_reader.h"

namespace etiage::formats::tsdb {

/// Made from the header byte: bit 7: the first sample has one; bits 0-6: from which sample on each has a
/// difference (0: none has).
class StartTimes {
 public:
  constexpr StartTimes() = default;
  explicit constexpr StartTimes(std::uint8_t header) : first_(header & 0x80), from_(header & 0x7f) {}

  /// Called after the bits of sample `n`, counted from 0.
  void skip(BitReader& bits, unsigned n) const {
    if (n == 0 && first_) bits.varint();
    if (n > 0 && from_ > 0 && n >= from_) read_varbit_int(bits);
  }

 private:
  bool first_ = false;
  unsigned from_ = 0;
};

}  // namespace etiage::formats::tsdb
