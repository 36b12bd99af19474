#pragma once
// Points and spans of time, in integer nanoseconds, UTC only.

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace etiage {

/// A span of time in nanoseconds (about +-292 years).
struct Duration {
  std::int64_t ns = 0;

  static constexpr Duration seconds(std::int64_t s) { return {s * 1'000'000'000}; }
  static constexpr Duration millis(std::int64_t ms) { return {ms * 1'000'000}; }
  static constexpr Duration hours(std::int64_t h) { return seconds(h * 3600); }
  constexpr double as_seconds() const { return static_cast<double>(ns) / 1e9; }
  constexpr double as_hours() const { return as_seconds() / 3600; }

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration o) const { return {ns + o.ns}; }
  constexpr Duration operator-(Duration o) const { return {ns - o.ns}; }
  constexpr Duration operator*(std::int64_t n) const { return {ns * n}; }
  constexpr Duration& operator+=(Duration o) { return ns += o.ns, *this; }
};

/// A moment: nanoseconds since 1970-01-01T00:00:00Z (years 1678 to 2262).
struct Instant {
  std::int64_t ns = 0;

  static constexpr Instant unix_seconds(std::int64_t s) { return {s * 1'000'000'000}; }
  static constexpr Instant unix_millis(std::int64_t ms) { return {ms * 1'000'000}; }
  static constexpr Instant min() { return {std::numeric_limits<std::int64_t>::min()}; }
  static constexpr Instant max() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr std::int64_t millis() const { return ns / 1'000'000; }

  constexpr auto operator<=>(const Instant&) const = default;
  constexpr Instant operator+(Duration d) const { return {ns + d.ns}; }
  constexpr Instant operator-(Duration d) const { return {ns - d.ns}; }
  constexpr Duration operator-(Instant o) const { return {ns - o.ns}; }
};

/// Half-open: `start` belongs to it, `end` does not.
struct Window {
  Instant start;
  Instant end;

  bool operator==(const Window&) const = default;
  constexpr bool contains(Instant t) const { return start <= t && t < end; }
  constexpr bool empty() const { return end <= start; }
  constexpr Duration length() const { return empty() ? Duration{} : end - start; }
};

/// The part of both; empty where they do not meet.
constexpr Window overlap(Window a, Window b) {
  return {a.start < b.start ? b.start : a.start, a.end < b.end ? a.end : b.end};
}

/// RFC 3339 UTC, with as many decimals of a second as are needed: `2026-10-12T00:00:00Z`.
std::string to_string(Instant t);

/// RFC 3339 with `Z` or an offset, fraction of a second allowed (kept to the nanosecond), as Kubernetes
/// writes times.
std::optional<Instant> parse_instant(std::string_view text);

/// `90s`, `1h30m`, `7d`, `2w`, `250ms`, `1.5h`: Go's durations plus days and weeks.
std::optional<Duration> parse_duration(std::string_view text);

/// The shortest of Go's forms, days first: `7d`, `1h30m`, `250ms`, `0s`.
std::string to_string(Duration d);

}  // namespace etiage
