#include "formats/tsdb/float_chunk.h"

#include <bit>

#include "formats/tsdb/bit_reader.h"
#include "formats/tsdb/start_time.h"

namespace etiage::formats::tsdb {
namespace {

constexpr std::string_view kShort = "the chunk holds fewer samples than it says";

unsigned sample_count(std::string_view data) {
  return static_cast<unsigned char>(data[0]) << 8 | static_cast<unsigned char>(data[1]);
}

/// Stamp and value of the sample before, as bits.
struct State {
  std::int64_t ms = 0;
  std::uint64_t delta = 0;
  std::uint64_t value = 0;
  XorWindow window;

  void step() { ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(ms) + delta); }
  Sample sample() const { return {ms, std::bit_cast<double>(value)}; }
};

/// The difference of differences: `0` none, `10` 14 bits, `110` 17, `1110` 20, `1111` 64.
template <class Bits>
inline std::uint64_t read_dod(Bits& bits) {
  constexpr unsigned kBits[] = {0, 14, 17, 20};
  const std::uint64_t next = bits.peek();
  const auto ones = static_cast<unsigned>(std::countl_one(next));
  if (ones >= 4) return bits.skip(4), bits.read(64);
  const unsigned n = kBits[ones];
  bits.skip(ones + 1 + n);
  return static_cast<std::uint64_t>(centred(next << (ones + 1) >> (64 - n), n));
}

/// Reads sample after sample with `next(state, n)` until all are there or the bits end.
template <class Bits, class Next>
std::string_view decode(Bits& bits, unsigned count, std::vector<Sample>& out, Next next) {
  State state;
  const std::size_t before = out.size();
  out.resize(before + count);
  Sample* at = out.data() + before;
  for (unsigned n = 0; n < count; ++n) {
    const Sample sample = next(state, n);
    if (bits.overrun()) {
      out.resize(before + n);
      return kShort;
    }
    *at++ = sample;
  }
  return {};
}

}  // namespace

std::string_view decode_xor(std::string_view data, std::vector<Sample>& out) {
  if (data.size() < 2) return kShort;
  // Needs no stop: a sample has at most 157 bits, and after each it is asked whether they were all there.
  BasicBitReader<false> bits(data.substr(2));
  return decode(bits, sample_count(data), out, [&bits](State& s, unsigned n) {
    if (n > 1) {
      // Mostly the beat is kept, and then often the value: one look for both.
      const std::uint64_t next = bits.peek();
      if (next >> 62 == 0) {
        bits.skip(2);
        s.step();
        return s.sample();
      }
      if (next >> 63 == 0)
        bits.skip(1);
      else
        s.delta += read_dod(bits);
      s.step();
      s.value ^= read_xor(bits, s.window);
    } else if (n == 1) {
      s.delta = bits.uvarint();
      s.step();
      s.value ^= read_xor(bits, s.window);
    } else {
      s.ms = bits.varint();
      s.value = bits.read(64);
    }
    return s.sample();
  });
}

namespace {

/// XOR2 has a code of its own for the stale marker, which leaves the value to which the next one is compared
/// as it was.
class Xor2 {
 public:
  Xor2(BitReader& bits, StartTimes start_times) : bits_(bits), start_times_(start_times) {}

  Sample operator()(State& s, unsigned n) {
    const Sample sample = n == 0 ? first(s) : n == 1 ? second(s) : later(s);
    start_times_.skip(bits_, n);
    return sample;
  }

 private:
  Sample first(State& s) {
    s.ms = bits_.varint();
    const std::uint64_t value = bits_.read(64);
    if (value == kStaleBits) return stale(s);
    s.value = value;
    return s.sample();
  }
  Sample second(State& s) {
    s.delta = bits_.uvarint();
    s.step();
    return value(s);
  }
  Sample later(State& s) {
    const auto ones = static_cast<unsigned>(std::countl_one(bits_.peek()));
    bits_.skip(ones >= 5 ? 5 : ones + 1);
    if (ones >= 2 && ones <= 4) s.delta += difference(ones);
    s.step();
    if (ones == 1)
      s.value ^= bits_.bit() ? read_new_window(bits_, s.window) : read_known_window(bits_, s.window);
    if (ones < 2) return s.sample();
    return ones >= 5 ? stale(s) : value(s);
  }
  /// Two ones: 13 bits, three: 20, four: 64. Here the pattern 10...0 is negative.
  std::uint64_t difference(unsigned ones) {
    if (ones == 4) return bits_.read(64);
    const unsigned n = ones == 2 ? 13 : 20;
    const std::uint64_t raw = bits_.read_short(n);
    return raw >> (n - 1) ? raw - (std::uint64_t{1} << n) : raw;
  }
  /// `0` unchanged, `10` in the known window, `110` in a new one, `111` stale.
  Sample value(State& s) {
    const auto ones = std::countl_one(bits_.peek());
    bits_.skip(ones >= 3 ? 3 : static_cast<unsigned>(ones) + 1);
    if (ones >= 3) return stale(s);
    if (ones > 0)
      s.value ^= ones == 1 ? read_known_window(bits_, s.window) : read_new_window(bits_, s.window);
    return s.sample();
  }
  static Sample stale(const State& s) { return {s.ms, stale_marker()}; }

  BitReader& bits_;
  StartTimes start_times_;
};

}  // namespace

std::string_view decode_xor2(std::string_view data, std::vector<Sample>& out) {
  if (data.size() < 3) return kShort;
  BitReader bits(data.substr(3));
  return decode(bits, sample_count(data), out, Xor2(bits, StartTimes(static_cast<std::uint8_t>(data[2]))));
}

}  // namespace etiage::formats::tsdb
