#pragma once
// Numbers, times and quoted text read and written as Go's standard library does, since Kubernetes's answers
// hold them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etiage::cel {

struct TimePoint;

/// What Go writes for a character that it escapes by a letter or a backslash, as in `\n`; else nothing.
std::string_view go_escape(char32_t c);
/// strconv.Quote.
std::string go_quote(std::string_view text);
/// %g and %v of a float64: shortest digits, with an exponent below 1e-4 and from 1e6.
std::string go_float(double d);
/// strconv.FormatFloat(d, 'f', -1, 64).
std::string go_fixed(double d);
/// strconv.ParseFloat; nothing where it is refused (out of range too).
std::optional<double> go_parse_float(std::string_view text);
/// strconv.ParseInt and ParseUint in base 10.
std::optional<std::int64_t> go_parse_int(std::string_view text);
std::optional<std::uint64_t> go_parse_uint(std::string_view text);
/// strconv.ParseBool.
std::optional<bool> go_parse_bool(std::string_view text);
/// time.ParseDuration, in nanoseconds.
std::optional<std::int64_t> go_parse_duration(std::string_view text);
/// Seconds of a duration with as many decimals as it takes, then `s`.
std::string go_duration_seconds(std::int64_t ns);
/// time.Parse(time.RFC3339).
std::optional<TimePoint> go_parse_time(std::string_view text);
/// Format(time.RFC3339Nano), in the zone it was written in.
std::string go_time(const TimePoint& t);

/// %v of a duration (`1h30m0s`) and of a time (`2026-01-02 03:04:05 +0000 UTC`).
std::string go_duration(std::int64_t ns);
std::string go_time_default(const TimePoint& t);

/// What a clock and a calendar show at a moment.
struct Civil {
  std::int64_t year = 1970;
  int month = 1, day = 1, year_day = 1, week_day = 0;  ///< week_day: 0 is Sunday
  int hour = 0, minute = 0, second = 0;
};
Civil civil(std::int64_t seconds_since_1970);

}  // namespace etiage::cel
