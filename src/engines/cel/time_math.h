#pragma once
// Moments and spans: checked arithmetic, and what a clock shows in a zone.

#include <optional>
#include <string_view>

#include "engines/cel/value.h"

namespace etiage::cel {

/// Years 1 to 9999, in seconds since 1970.
inline constexpr std::int64_t kMinTime = -62135596800;
inline constexpr std::int64_t kMaxTime = 253402300799;

/// `a` is a duration or a timestamp.
Value add_time(const Value& a, const Value& b);
Value subtract_time(const Value& a, const Value& b);

/// Seconds east of UTC that a zone of the IANA database keeps at a moment; absent: there is no such zone.
std::optional<int> zone_offset(std::string_view zone, std::int64_t seconds_since_1970);

}  // namespace etiage::cel
