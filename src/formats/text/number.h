#pragma once
// Numbers as Prometheus writes and reads them in texts.

#include <cstdint>
#include <expected>
#include <string_view>

namespace etiage::formats::text {

enum class NumberFault { kSyntax, kRange };

/// A whole token as Go's strconv.ParseFloat reads it, without hexadecimal and underscores (Prometheus refuses
/// both): decimals, `Inf`, `Infinity` and (without sign) `NaN` in any case. Too large is a fault, too small
/// is zero.
std::expected<double, NumberFault> parse_float(std::string_view token);

/// The NaN that Go's parser returns; Prometheus calls it the normal one.
inline constexpr std::uint64_t kNormalNaN = 0x7ff8000000000001;

/// A number at `p` and the byte after it; `next` is null where none stands there. Never looks beyond `end`.
struct ReadNumber {
  const char* next = nullptr;
  double value = 0;
};
ReadNumber read_float(const char* p, const char* end);

/// A stamp at `p` in Unix milliseconds: seconds where it has a point or an exponent, or is below 1e11 (in
/// milliseconds that would be before 1973); milliseconds otherwise. More than three decimals are cut.
struct ReadStamp {
  const char* next = nullptr;
  std::int64_t ms = 0;
};
ReadStamp read_stamp(const char* p, const char* end, bool always_seconds);

}  // namespace etiage::formats::text
