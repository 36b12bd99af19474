#include "formats/text/go_float.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "formats/text/number.h"

namespace etiage::formats::text {
namespace {

constexpr bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

bool is_hex(std::string_view unsigned_text) {
  return unsigned_text.size() > 2 && unsigned_text[0] == '0' && (unsigned_text[1] | 0x20) == 'x';
}

/// Without underscores; nothing where one does not stand between digits (a base prefix counts as one).
std::optional<std::string> without_underscores(std::string_view text, bool hex) {
  const auto digit = [&](char c) {
    return hex ? is_hex_digit(c) || (c | 0x20) == 'x' : c >= '0' && c <= '9';
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      out += text[i];
    else if (i == 0 || !digit(text[i - 1]) || i + 1 == text.size() || !digit(text[i + 1]))
      return std::nullopt;
  }
  return out;
}

std::optional<double> parse_hex(std::string_view digits) {
  if (digits.find_first_of("pP") == std::string_view::npos) return std::nullopt;
  double v = 0;
  const auto [end, ec] =
      std::from_chars(digits.data(), digits.data() + digits.size(), v, std::chars_format::hex);
  if (ec != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return v;
}

}  // namespace

std::optional<double> parse_go_literal(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view body = text;
  if (negative || text.starts_with('+')) body.remove_prefix(1);
  const bool hex = is_hex(body);
  if (hex) {
    const auto digits = without_underscores(body, true);
    const auto v = digits ? parse_hex(std::string_view(*digits).substr(2)) : std::nullopt;
    return v && negative ? -*v : v;
  }
  const auto digits = without_underscores(text, false);
  if (!digits) return std::nullopt;
  const auto v = parse_float(*digits);
  return v ? std::optional(*v) : std::nullopt;
}

std::string go_shortest(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 64> buffer{};
  const auto write = [&](std::chars_format format) {
    return std::string(buffer.data(), std::to_chars(buffer.begin(), buffer.end(), value, format).ptr);
  };
  std::string scientific = write(std::chars_format::scientific);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  return exponent < -4 || exponent >= 6 ? scientific : write(std::chars_format::fixed);
}

std::string openmetrics_float(double value) {
  std::string text = go_shortest(value);
  if (std::isfinite(value) && text.find_first_of("e.") == std::string::npos) text += ".0";
  return text;
}

}  // namespace etiage::formats::text
