#include "formats/json_text.h"

namespace etiage::formats {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Four hexadecimal digits at `at`, or -1.
int hex4(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_value(raw[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

char simple_escape(char c) {
  switch (c) {
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
    case '"':
    case '\\':
    case '/':
      return c;
    default:
      return 0;
  }
}

constexpr unsigned kReplacement = 0xfffd;

}  // namespace

bool is_json_number(std::string_view s) {
  std::size_t i = s.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < s.size() && is_digit(s[i])) ++i;
    return i > first;
  };
  const std::size_t whole = i;
  if (!digits() || (s[whole] == '0' && i > whole + 1)) return false;
  if (i < s.size() && s[i] == '.' && (++i, !digits())) return false;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == s.size();
}

bool is_not_finite(std::string_view word) {
  while (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return word == "NaN" || word == "nan" || word == "Infinity" || word == "Inf" || word == "inf";
}

std::optional<char> decode_json_string(std::string_view raw, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    const char c = raw[++i];  // a string never ends in an open escape
    if (const char plain = simple_escape(c)) {
      out += plain;
      continue;
    }
    int code = c == 'u' ? hex4(raw, i + 1) : -1;
    if (code < 0) return c;
    i += 4;
    const bool high = code >= 0xd800 && code < 0xdc00;
    const int low = high && raw.substr(i + 1).starts_with("\\u") ? hex4(raw, i + 3) : -1;
    if (low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      i += 6;
    } else if (code >= 0xd800 && code < 0xe000) {
      code = kReplacement;
    }
    append_utf8(out, static_cast<unsigned>(code));
  }
  return {};
}

}  // namespace etiage::formats
