#include "engines/cel/go_text.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/utf8.h"
#include "engines/cel/source.h"
#include "engines/cel/value.h"

namespace etiage::cel {
namespace {

__extension__ using Wide = unsigned __int128;

bool digit(char c) {
  return c >= '0' && c <= '9';
}

bool printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  if (c < 0xA1 || c == 0xAD) return false;
  // Spaces, format characters, private use: shown by number.
  if (c == 0x1680 || (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F)) return false;
  if ((c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF) return false;
  return !(c >= 0xE000 && c <= 0xF8FF) && c < 0xE0000;
}

/// Underscores stand between digits only.
bool underscores_fit(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') continue;
    const auto hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    if (i == 0 || i + 1 == text.size() || !hex(text[i - 1]) || !hex(text[i + 1])) return false;
  }
  return true;
}

bool equal_fold(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != b[i]) return false;
  }
  return true;
}

std::optional<std::int64_t> unit_nanos(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "µs" || unit == "μs") return 1'000;
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return 1'000'000'000;
  if (unit == "m") return 60'000'000'000;
  if (unit == "h") return 3'600'000'000'000;
  return std::nullopt;
}

/// `count` digits at the front of `text`, taken off.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int n = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!digit(text[i])) return std::nullopt;
    n = n * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return n;
}
bool take_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds east of UTC of `Z` or `+hh:mm`, taken off.
std::optional<int> take_offset(std::string_view& text) {
  if (take_char(text, 'Z')) return 0;
  const int sign = take_char(text, '+') ? 1 : take_char(text, '-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const auto hours = take_digits(text, 2);
  if (!hours || !take_char(text, ':')) return std::nullopt;
  const auto minutes = take_digits(text, 2);
  if (!minutes || *hours > 24 || *minutes > 60) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

/// Nanoseconds of `.123`, taken off; 0 where there is none.
std::optional<std::int32_t> take_fraction(std::string_view& text) {
  if (text.size() < 2 || (text.front() != '.' && text.front() != ',') || !digit(text[1])) return 0;
  text.remove_prefix(1);
  std::int64_t nanos = 0, unit = 100'000'000;
  while (!text.empty() && digit(text.front())) {
    nanos += (text.front() - '0') * unit;
    unit /= 10;
    text.remove_prefix(1);
  }
  return static_cast<std::int32_t>(nanos);
}

}  // namespace

std::string_view go_escape(char32_t c) {
  switch (c) {
    case '\a':
      return "\\a";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\v':
      return "\\v";
    case '\\':
      return "\\\\";
    case '"':
      return "\\\"";
    default:
      return {};
  }
}

std::string go_quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const char32_t c = decode_utf8(text.substr(0, length)).front();
    const std::string_view escape = go_escape(c);
    if (!escape.empty())
      out += escape;
    else if (printable(c))
      out += text.substr(0, length);
    else if (c < 0x80)
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else if (c < 0x10000)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += fmt::format("\\U{:08x}", static_cast<unsigned>(c));
    text.remove_prefix(length);
  }
  return out + "\"";
}

std::string go_float(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d > 0 ? "+Inf" : "-Inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::scientific).ptr;
  const std::string text(buffer, end);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  if (exponent < -4 || exponent >= 6) return text;
  return go_fixed(d);
}

std::string go_fixed(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d > 0 ? "+Inf" : "-Inf";
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::fixed).ptr;
  return {buffer, end};
}

std::optional<double> go_parse_float(std::string_view text) {
  std::string_view body = text;
  bool negative = false;
  if (!body.empty() && (body[0] == '+' || body[0] == '-')) negative = body[0] == '-', body.remove_prefix(1);
  if (equal_fold(body, "inf") || equal_fold(body, "infinity")) {
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  if (equal_fold(body, "nan")) return std::numeric_limits<double>::quiet_NaN();
  const bool hex = body.size() > 2 && body[0] == '0' && (body[1] == 'x' || body[1] == 'X');
  if (hex) {
    body.remove_prefix(2);
    if (body.find_first_of("pP") == std::string_view::npos) return std::nullopt;
  }
  if (body.empty() || !(std::isxdigit(static_cast<unsigned char>(body[0])) || body[0] == '.'))
    return std::nullopt;
  if (!underscores_fit(body)) return std::nullopt;
  std::string plain;
  for (const char c : body) {
    if (c != '_') plain += c;
  }
  double d = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), d,
                                            hex ? std::chars_format::hex : std::chars_format::general);
  if (end != plain.data() + plain.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    d = std::strtod(plain.c_str(), nullptr);
    if (std::isinf(d)) return std::nullopt;
  }
  return negative ? -d : d;
}

std::optional<std::int64_t> go_parse_int(std::string_view text) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return std::nullopt;
  }
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::optional<std::uint64_t> go_parse_uint(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::optional<bool> go_parse_bool(std::string_view text) {
  for (const char* yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::optional<std::int64_t> go_parse_duration(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) negative = text[0] == '-', text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  constexpr Wide kLimit = Wide{1} << 63;
  Wide total = 0;
  while (!text.empty()) {
    Wide whole = 0, fraction = 0, scale = 1;
    std::size_t digits = 0;
    for (; !text.empty() && digit(text[0]); text.remove_prefix(1), ++digits) {
      whole = whole * 10 + static_cast<unsigned>(text[0] - '0');
      if (whole > kLimit) return std::nullopt;
    }
    if (take_char(text, '.')) {
      for (; !text.empty() && digit(text[0]); text.remove_prefix(1), ++digits) {
        if (scale > Wide{1'000'000'000'000'000'000}) continue;
        fraction = fraction * 10 + static_cast<unsigned>(text[0] - '0');
        scale *= 10;
      }
    }
    if (digits == 0) return std::nullopt;
    std::size_t length = 0;
    while (length < text.size() && text[length] != '.' && !digit(text[length])) ++length;
    const auto unit = unit_nanos(text.substr(0, length));
    if (!unit) return std::nullopt;
    text.remove_prefix(length);
    total += whole * static_cast<Wide>(*unit) + fraction * static_cast<Wide>(*unit) / scale;
    if (total > kLimit) return std::nullopt;
  }
  if (negative) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(total));
  if (total >= kLimit) return std::nullopt;
  return static_cast<std::int64_t>(total);
}

std::string go_duration_seconds(std::int64_t ns) {
  // As Go's Seconds(): whole seconds and the rest added as floats.
  const double seconds =
      static_cast<double>(ns / 1'000'000'000) + static_cast<double>(ns % 1'000'000'000) / 1e9;
  return go_fixed(seconds) + "s";
}

std::optional<TimePoint> go_parse_time(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || !take_char(text, '-')) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take_char(text, '-')) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day || !take_char(text, 'T')) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || !take_char(text, ':')) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || !take_char(text, ':')) return std::nullopt;
  const auto second = take_digits(text, 2);
  if (!second) return std::nullopt;
  const auto nanos = take_fraction(text);
  const auto offset = take_offset(text);
  if (!nanos || !offset || !text.empty()) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(*month)},
                            std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const std::int64_t days = sys_days{date}.time_since_epoch().count();
  return TimePoint{days * 86400 + *hour * 3600 + *minute * 60 + *second - *offset, *nanos, *offset};
}

Civil civil(std::int64_t seconds) {
  using namespace std::chrono;
  std::int64_t days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, --days;
  const sys_days date{std::chrono::days{days}};
  const year_month_day ymd{date};
  const sys_days first{ymd.year() / January / 1};
  return {.year = static_cast<int>(ymd.year()),
          .month = static_cast<int>(static_cast<unsigned>(ymd.month())),
          .day = static_cast<int>(static_cast<unsigned>(ymd.day())),
          .year_day = static_cast<int>((date - first).count()) + 1,
          .week_day = static_cast<int>(weekday{date}.c_encoding()),
          .hour = static_cast<int>(rest / 3600),
          .minute = static_cast<int>(rest / 60 % 60),
          .second = static_cast<int>(rest % 60)};
}

std::string go_duration(std::int64_t ns) {
  if (ns == 0) return "0s";
  const std::string sign = ns < 0 ? "-" : "";
  const std::uint64_t n = ns < 0 ? -static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  const auto trimmed = [](std::uint64_t whole, std::uint64_t fraction, int digits) {
    auto text = fmt::format("{}.{:0{}}", whole, fraction, digits);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  if (n < 1'000) return fmt::format("{}{}ns", sign, n);
  if (n < 1'000'000) return sign + trimmed(n / 1'000, n % 1'000, 3) + "µs";
  if (n < 1'000'000'000) return sign + trimmed(n / 1'000'000, n % 1'000'000, 6) + "ms";
  const std::uint64_t minutes = n / 60'000'000'000;
  std::string out = sign;
  if (minutes >= 60) out += fmt::format("{}h", minutes / 60);
  if (minutes > 0) out += fmt::format("{}m", minutes % 60);
  const std::uint64_t rest = n % 60'000'000'000;
  return out + trimmed(rest / 1'000'000'000, rest % 1'000'000'000, 9) + "s";
}

std::string go_time_default(const TimePoint& t) {
  std::string out = go_time(TimePoint{t.seconds + t.offset, t.nanos, 0});
  out[10] = ' ';
  out.pop_back();
  if (t.offset == 0) return out + " +0000 UTC";
  const int minutes = std::abs(t.offset) / 60;
  const auto zone = fmt::format("{}{:02}{:02}", t.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
  return out + " " + zone + " " + zone;
}

std::string go_time(const TimePoint& t) {
  const Civil c = civil(t.seconds + t.offset);
  auto out =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", c.year, c.month, c.day, c.hour, c.minute, c.second);
  if (t.nanos != 0) {
    auto fraction = fmt::format("{:09}", t.nanos);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    out += "." + fraction;
  }
  if (t.offset == 0) return out + "Z";
  const int minutes = std::abs(t.offset) / 60;
  return out + fmt::format("{}{:02}:{:02}", t.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace etiage::cel
