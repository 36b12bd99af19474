#pragma once
// Letters of ASCII, whatever the locale.

#include <algorithm>
#include <string>
#include <string_view>

namespace etiage {

constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower_case(c);
  return out;
}

/// Whether both are the same but for capitals.
constexpr bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower_case(x) == lower_case(y); });
}

}  // namespace etiage
