#pragma once
// Randomness as a value: counter-based, so that a stream can be split and replayed whatever the thread count.

#include <cstdint>

namespace etiage {

/// SplitMix64 over a counter (Steele, Lea, Flood 2014): the n-th draw depends on the seed and n alone.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0)
      : key_(mix(seed ^ mix(stream + kGolden))) {}

  constexpr std::uint64_t next() { return mix(key_ + kGolden * ++count_); }
  /// Uniform in [0, n); `n` > 0. Lemire's multiply-shift; the bias is below n / 2^64.
  constexpr std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * n) >> 64);
  }
  /// Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// An independent stream, the same for the same name.
  constexpr Rng split(std::uint64_t name) const { return Rng(key_, name); }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace etiage
