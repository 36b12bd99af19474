#include "formats/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

namespace etiage::formats {
namespace {

constexpr std::array<std::string_view, 11> kTrue{"y",    "Y",    "yes", "Yes", "YES", "true",
                                                 "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kFalse{"n",     "N",     "no",  "No",  "NO", "false",
                                                  "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 5> kNull{"", "~", "null", "Null", "NULL"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Go's strconv.ParseInt and ParseUint with base 0: prefixes 0x, 0o, 0b, and a leading zero for octal.
std::optional<std::string> whole_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char c = static_cast<char>(text[1] | 0x20);
    base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
    text.remove_prefix(c == 'x' || c == 'b' || c == 'o' ? 2 : 1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (!negative) return std::to_string(value);
  if (value > std::uint64_t{1} << 63) return {};
  return value == 0 ? "0" : "-" + std::to_string(value);
}

/// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view s) {
  std::size_t i = !s.empty() && (s[0] == '-' || s[0] == '+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < s.size() && is_digit(s[i])) ++i;
    return i > first;
  };
  const bool whole = digits();
  if (i < s.size() && s[i] == '.') {
    ++i;
    if (!digits() && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '-' || s[i] == '+')) ++i;
    if (!digits()) return false;
  }
  return i == s.size();
}

/// As Go's encoding/json writes a float64: plain decimals between 1e-6 and 1e21.
std::optional<std::string> real_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  const double size = std::fabs(value);
  const auto form =
      size != 0 && (size < 1e-6 || size >= 1e21) ? std::chars_format::scientific : std::chars_format::fixed;
  std::array<char, 64> buffer;
  const auto [last, failed] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, form);
  if (failed != std::errc{}) return {};
  return std::string(buffer.data(), last);
}

}  // namespace

Tree resolve_yaml_scalar(std::string_view text) {
  const auto is_one_of = [&](const auto& words) { return std::ranges::find(words, text) != words.end(); };
  if (is_one_of(kNull)) return Tree::null();
  if (is_one_of(kTrue)) return Tree::boolean(true);
  if (is_one_of(kFalse)) return Tree::boolean(false);
  const char first = text.front();
  if (is_digit(first) || first == '-' || first == '+' || first == '.') {
    std::string plain(text);
    if (first != '.') std::erase(plain, '_');
    if (auto whole = first == '.' ? std::nullopt : whole_number(plain))
      return Tree::number(std::move(*whole));
    if (looks_like_float(plain))
      if (auto real = real_number(plain)) return Tree::number(std::move(*real));
  }
  return Tree::string(std::string(text));
}

}  // namespace etiage::formats
