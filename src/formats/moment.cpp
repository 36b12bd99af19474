#include "formats/moment.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace etiage::formats {
namespace {

bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

/// Since 1970 in the unit that its size tells: a second of today has ten digits.
std::optional<Instant> since_epoch(std::string_view text) {
  const std::size_t whole = std::min(text.find('.'), text.size());
  if (whole == 0 || whole > 19) return {};
  const int scale = whole <= 11 ? 9 : whole <= 14 ? 6 : whole <= 17 ? 3 : 0;  // decimals to nanoseconds
  std::string digits(text.substr(0, whole));
  std::string_view fraction = whole < text.size() ? text.substr(whole + 1) : std::string_view{};
  if (fraction.find_first_not_of("0123456789") != fraction.npos) return {};
  fraction = fraction.substr(0, static_cast<std::size_t>(scale));
  digits += fraction;
  digits.append(static_cast<std::size_t>(scale) - fraction.size(), '0');
  Instant out;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.ns);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  return out;
}

/// `+0200`, `+02`, ` +00:00`, ` UTC`, `Z` or nothing to RFC 3339's.
std::optional<std::string> offset(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text == "Z" || text == "z" || text == "UTC" || text == "GMT") return "Z";
  if ((text[0] != '+' && text[0] != '-') || text.size() < 3 || !digit(text[1]) || !digit(text[2])) return {};
  const std::string hours(text.substr(0, 3));
  std::string_view minutes = text.substr(3);
  if (minutes.starts_with(':')) minutes.remove_prefix(1);
  if (minutes.empty()) return hours + ":00";
  if (minutes.size() != 2) return {};
  return hours + ":" + std::string(minutes);
}

}  // namespace

std::optional<Window> parse_moment(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.find_first_not_of("0123456789.") == text.npos) {
    const auto at = since_epoch(text);
    return at ? std::optional(Window{*at, *at}) : std::nullopt;
  }
  if (text.size() < 10) return {};
  const std::string date(text.substr(0, 10));
  if (text.size() == 10) {
    const auto start = parse_instant(date + "T00:00:00Z");
    return start ? std::optional(Window{*start, *start + Duration::hours(24)}) : std::nullopt;
  }
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return {};
  std::string_view clock = text.substr(11);
  const std::size_t end = std::min(clock.find_first_not_of("0123456789:."), clock.size());
  const auto zone = offset(clock.substr(end));
  clock = clock.substr(0, end);
  if (!zone || clock.size() < 5) return {};
  const std::string seconds = clock.size() == 5 ? ":00" : "";
  const auto at = parse_instant(date + "T" + std::string(clock) + seconds + *zone);
  return at ? std::optional(Window{*at, *at}) : std::nullopt;
}

}  // namespace etiage::formats
