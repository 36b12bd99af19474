#pragma once
// The bits of a chunk, most significant first.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace etiage::formats::tsdb {

/// Does not check each read: reading past the end gives some bits, and `overrun` tells afterwards. The memory
/// must be readable for `kPadding` bytes behind the end. One that stops never goes further than one bit
/// beyond it; one that does not is for who asks `overrun` before it can have come to the end of the padding.
template <bool kStops>
class BasicBitReader {
 public:
  static constexpr std::size_t kPadding = 40;

  explicit BasicBitReader(std::string_view bytes) : data_(bytes.data()), end_(bytes.size() * 8) {}

  bool overrun() const { return at_ > end_; }
  std::size_t left() const { return overrun() ? 0 : end_ - at_; }

  /// The next bits from the top down; at least 57 of them are good.
  std::uint64_t peek() const {
    std::uint64_t word = 0;
    std::memcpy(&word, data_ + at_ / 8, 8);
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word << (at_ % 8);
  }
  void skip(unsigned n) { at_ = kStops ? std::min(at_ + n, end_ + 1) : at_ + n; }

  /// 1 to 57 bits.
  std::uint64_t read_short(unsigned n) {
    const std::uint64_t out = peek() >> (64 - n);
    skip(n);
    return out;
  }
  /// The next 64 bits, all of them good.
  std::uint64_t peek_all() const {
    const auto beyond = static_cast<unsigned char>(data_[at_ / 8 + 8]);
    return peek() | static_cast<std::uint64_t>(beyond) >> (8 - at_ % 8);
  }
  /// 1 to 64 bits.
  std::uint64_t read(unsigned n) {
    const std::uint64_t out = peek_all() >> (64 - n);
    skip(n);
    return out;
  }
  bool bit() { return read_short(1) != 0; }

  std::uint64_t uvarint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = read_short(8);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    at_ = end_ + 1;
    return 0;
  }
  std::int64_t varint() {
    const std::uint64_t u = uvarint();
    return static_cast<std::int64_t>(u >> 1) ^ -static_cast<std::int64_t>(u & 1);
  }

 private:
  const char* data_;
  std::size_t end_;
  std::size_t at_ = 0;
};

using BitReader = BasicBitReader<true>;

/// A number of `n` bits where the pattern 10...0 is the largest positive one, as Prometheus writes
/// differences.
constexpr std::int64_t centred(std::uint64_t bits, unsigned n) {
  return static_cast<std::int64_t>(bits > std::uint64_t{1} << (n - 1) ? bits - (std::uint64_t{1} << n)
                                                                      : bits);
}

/// The window of changed bits in the difference of two floats, kept from value to value.
struct XorWindow {
  unsigned leading = 0;
  unsigned trailing = 0;
};

/// Changed bits in a window of their own: 5 bits leading zeros, 6 bits their number (0 means 64), the bits.
template <class Bits>
[[gnu::always_inline]] inline std::uint64_t read_new_window(Bits& bits, XorWindow& window) {
  const std::uint64_t header = bits.read_short(11);
  const auto leading = static_cast<unsigned>(header >> 6);
  const auto count = (header & 0x3f) == 0 ? 64u : static_cast<unsigned>(header & 0x3f);
  // More than 64 bits together: damaged, and for Prometheus a shift that leaves nothing.
  window = {leading, leading + count > 64 ? 64 : 64 - leading - count};
  const std::uint64_t changed = bits.read(count);
  return window.trailing > 63 ? 0 : changed << window.trailing;
}

template <class Bits>
[[gnu::always_inline]] inline std::uint64_t read_known_window(Bits& bits, const XorWindow& window) {
  const unsigned outside = window.leading + window.trailing;
  return outside > 63 ? 0 : bits.read(64 - outside) << window.trailing;
}

/// The difference to the value before: `0` none, `10` in the known window, `11` in a new one.
template <class Bits>
[[gnu::always_inline]] inline std::uint64_t read_xor(Bits& bits, XorWindow& window) {
  const std::uint64_t next = bits.peek();
  if (next >> 63 == 0) return bits.skip(1), 0;
  bits.skip(2);
  return next >> 62 == 2 ? read_known_window(bits, window) : read_new_window(bits, window);
}

/// Integers of histograms: up to eight ones, a zero, then as many bits as that stands for.
inline std::uint64_t read_varbit(BitReader& bits, bool is_signed) {
  constexpr unsigned kBits[] = {0, 3, 6, 9, 12, 18, 25, 56, 64};
  const unsigned ones = std::min(static_cast<unsigned>(std::countl_one(bits.peek())), 8u);
  bits.skip(ones == 8 ? 8 : ones + 1);
  if (ones == 0) return 0;
  const unsigned n = kBits[ones];
  const std::uint64_t value = bits.read(n);
  return is_signed && n < 64 ? static_cast<std::uint64_t>(centred(value, n)) : value;
}
inline std::int64_t read_varbit_int(BitReader& bits) {
  return static_cast<std::int64_t>(read_varbit(bits, true));
}
inline std::uint64_t read_varbit_uint(BitReader& bits) {
  return read_varbit(bits, false);
}

}  // namespace etiage::formats::tsdb
