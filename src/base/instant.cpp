#include "base/instant.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace etiage {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// `width` digits at `pos`, or nothing.
std::optional<int> digits(std::string_view text, std::size_t pos, std::size_t width) {
  int value = 0;
  if (pos + width > text.size()) return {};
  for (char c : text.substr(pos, width)) {
    if (c < '0' || c > '9') return {};
    value = value * 10 + (c - '0');
  }
  return value;
}

/// Takes `.123` off the front; digits beyond the nanosecond are cut.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (text.empty() || text.front() != '.') return 0;
  std::int64_t ns = 0, unit = kSecond / 10;
  std::size_t n = 1;
  for (; n < text.size() && text[n] >= '0' && text[n] <= '9'; ++n, unit /= 10) ns += (text[n] - '0') * unit;
  if (n == 1) return {};
  text.remove_prefix(n);
  return ns;
}

/// Minutes east of UTC of `Z`, `z` or `+hh:mm`.
std::optional<int> zone_minutes(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return {};
  const auto h = digits(text, 1, 2), m = digits(text, 4, 2);
  if (!h || !m || *h > 23 || *m > 59) return {};
  return (text[0] == '-' ? -1 : 1) * (*h * 60 + *m);
}

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
// Longer names first where one begins like another.
constexpr std::array<Unit, 9> kUnits{{{"ms", kSecond / 1000},
                                      {"us", 1000},
                                      {"µs", 1000},
                                      {"ns", 1},
                                      {"s", kSecond},
                                      {"m", 60 * kSecond},
                                      {"h", 3600 * kSecond},
                                      {"d", 86400 * kSecond},
                                      {"w", 7 * 86400 * kSecond}}};

}  // namespace

std::string to_string(Instant t) {
  using namespace std::chrono;
  const sys_time<nanoseconds> point{nanoseconds{t.ns}};
  const auto day = floor<days>(point);
  const year_month_day date{day};
  const hh_mm_ss clock{point - day};
  std::string fraction;
  if (const auto ns = clock.subseconds().count(); ns != 0) {
    fraction = fmt::format(".{:09}", ns);
    fraction.erase(fraction.find_last_not_of('0') + 1);
  }
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(), fraction);
}

std::optional<Instant> parse_instant(std::string_view text) {
  using namespace std::chrono;
  const auto y = digits(text, 0, 4), mo = digits(text, 5, 2), d = digits(text, 8, 2);
  const auto h = digits(text, 11, 2), mi = digits(text, 14, 2), s = digits(text, 17, 2);
  if (!y || !mo || !d || !h || !mi || !s || text[4] != '-' || text[7] != '-' || text[13] != ':' ||
      text[16] != ':')
    return {};
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return {};
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*mo)}, day{static_cast<unsigned>(*d)}};
  if (!date.ok() || *h > 23 || *mi > 59 || *s > 60 || *y < 1678 || *y > 2261) return {};
  std::string_view rest = text.substr(19);
  const auto fraction = take_fraction(rest);
  const auto zone = zone_minutes(rest);
  if (!fraction || !zone) return {};
  const auto total = sys_days{date}.time_since_epoch() + hours{*h} + minutes{*mi - *zone} + seconds{*s};
  return Instant{duration_cast<nanoseconds>(total).count() + *fraction};
}

std::optional<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration{};
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return {};
  double total = 0;
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || value < 0) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const Unit* unit = nullptr;
    for (const Unit& u : kUnits)
      if (!unit && text.starts_with(u.name)) unit = &u;
    if (!unit) return {};
    text.remove_prefix(unit->name.size());
    total += value * static_cast<double>(unit->ns);
  }
  if (total > 9.2e18) return {};
  return Duration{static_cast<std::int64_t>(std::llround(negative ? -total : total))};
}

std::string to_string(Duration d) {
  if (d.ns == 0) return "0s";
  std::string out = d.ns < 0 ? "-" : "";
  std::uint64_t left = d.ns < 0 ? 0 - static_cast<std::uint64_t>(d.ns) : static_cast<std::uint64_t>(d.ns);
  constexpr std::array<Unit, 7> steps{{{"d", 86400 * kSecond},
                                       {"h", 3600 * kSecond},
                                       {"m", 60 * kSecond},
                                       {"s", kSecond},
                                       {"ms", kSecond / 1000},
                                       {"us", 1000},
                                       {"ns", 1}}};
  for (const Unit& unit : steps) {
    const auto size = static_cast<std::uint64_t>(unit.ns);
    if (left < size) continue;
    out += fmt::format("{}{}", left / size, unit.name);
    left %= size;
  }
  return out;
}

}  // namespace etiage
