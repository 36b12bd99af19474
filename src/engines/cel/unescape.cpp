#include "engines/cel/unescape.h"

#include <algorithm>

#include "engines/cel/source.h"

namespace etiage::cel {
namespace {

std::string unify_line_ends(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

char simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

bool valid_point(char32_t c) {
  return c <= 0x10FFFF && !(c >= 0xD800 && c < 0xE000);
}

/// The number of an escape that names a code point or a byte; `s` begins after the backslash and ends up
/// after it.
Result<char32_t> take_number(std::string_view& s, bool bytes) {
  const char c = s[0];
  const bool octal = c >= '0' && c <= '3';
  const std::size_t digits = octal ? 3 : c == 'u' ? 4 : c == 'U' ? 8 : 2;
  if (!octal) s.remove_prefix(1);
  if (bytes && (c == 'u' || c == 'U')) return failure("unable to unescape string");
  if (s.size() < digits) return failure("unable to unescape string");
  char32_t value = 0;
  for (const char d : s.substr(0, digits)) {
    const int digit = d <= '9' ? d - '0' : (d | 0x20) - 'a' + 10;
    value = value * (octal ? 8 : 16) + static_cast<char32_t>(digit);
  }
  s.remove_prefix(digits);
  if (!bytes && !valid_point(value)) return failure("invalid unicode code point");
  return value;
}

}  // namespace

Result<std::string> unescape(std::string_view literal, bool bytes) {
  const std::string text = unify_line_ends(literal);
  std::string_view s = text;
  const bool raw = s.starts_with('r') || s.starts_with('R');
  if (raw) s.remove_prefix(1);
  const std::size_t quotes = s.size() >= 6 && (s.starts_with("'''") || s.starts_with("\"\"\"")) ? 3 : 1;
  if (s.size() < 2 * quotes) return failure("unable to unescape string");
  s = s.substr(quotes, s.size() - 2 * quotes);
  if (raw || s.find('\\') == std::string_view::npos) return std::string(s);

  std::string out;
  while (!s.empty()) {
    if (s[0] != '\\') {
      out += s[0];
      s.remove_prefix(1);
      continue;
    }
    s.remove_prefix(1);
    if (std::string_view("xXuU0123").find(s[0]) == std::string_view::npos) {
      out += simple_escape(s[0]);
      s.remove_prefix(1);
      continue;
    }
    const auto value = take_number(s, bytes);
    if (!value) return std::unexpected(value.error());
    if (bytes) {
      out += static_cast<char>(*value);
    } else {
      append_utf8(out, *value);
    }
  }
  return out;
}

}  // namespace etiage::cel
