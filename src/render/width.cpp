#include "render/width.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "base/utf8.h"

namespace etiage::render {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Unicode 15: East_Asian_Width W and F, and emoji that terminals draw in two columns; coarse, whole blocks.
constexpr std::array kWide{
    Range{0x1100, 0x115f},   Range{0x231a, 0x231b},  Range{0x23e9, 0x23ec},   Range{0x2614, 0x2615},
    Range{0x26a1, 0x26a1},   Range{0x2705, 0x2705},  Range{0x274c, 0x274c},   Range{0x2e80, 0x303e},
    Range{0x3041, 0x33ff},   Range{0x3400, 0x4dbf},  Range{0x4e00, 0x9fff},   Range{0xa000, 0xa4cf},
    Range{0xa960, 0xa97f},   Range{0xac00, 0xd7a3},  Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},
    Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},  Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff},
    Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};
constexpr std::array kZero{Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x0591, 0x05bd},
                           Range{0x0610, 0x061a}, Range{0x064b, 0x065f}, Range{0x1ab0, 0x1aff},
                           Range{0x1dc0, 0x1dff}, Range{0x200b, 0x200d}, Range{0x20d0, 0x20ff},
                           Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}, Range{0xe0100, 0xe01ef}};
// Direction marks, overrides and isolates reorder what follows them on the screen.
constexpr std::array kUnsafe{Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0x200e, 0x200f},
                             Range{0x2028, 0x202e}, Range{0x2066, 0x2069}, Range{0xfeff, 0xfeff}};

bool in(const auto& ranges, std::uint32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return r.first <= c && c <= r.last; });
}

int width_of(std::uint32_t c) {
  return in(kZero, c) ? 0 : in(kWide, c) ? 2 : 1;
}

struct Character {
  std::string_view bytes;
  std::uint32_t code;  ///< U+FFFD where the byte is not UTF-8
};

std::vector<Character> characters(std::string_view text) {
  std::vector<Character> out;
  while (!text.empty()) {
    const std::size_t n = utf8_length(text);
    if (n == 0) {
      out.push_back({"\ufffd", 0xfffd});
      text.remove_prefix(1);
      continue;
    }
    std::uint32_t code = static_cast<unsigned char>(text[0]);
    if (n > 1) code &= 0xffu >> (n + 1);
    for (std::size_t i = 1; i < n; ++i) code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3f);
    out.push_back({text.substr(0, n), code});
    text.remove_prefix(n);
  }
  return out;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  for (const Character& c : characters(text)) width += width_of(c.code);
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  for (const Character& c : characters(text)) {
    if (!in(kUnsafe, c.code))
      out += c.bytes;
    else if (c.code < 0x100)
      out += fmt::format("\\x{:02x}", c.code);
    else
      out += fmt::format("\\u{:04x}", c.code);
  }
  return out;
}

namespace {

/// As many characters from the front as fit (one at least); where the text goes on behind them, best up to a
/// mark at which names are read in parts, if it stands in the second half.
std::string_view beginning(std::string_view text, int width) {
  std::size_t end = 0, mark = 0;
  int used = 0;
  for (const Character& c : characters(text)) {
    if (end > 0 && used + width_of(c.code) > width) return text.substr(0, mark > end / 2 ? mark : end);
    used += width_of(c.code);
    end += c.bytes.size();
    if (std::string_view("/-._").find(c.bytes) != std::string_view::npos) mark = end;
  }
  return text;
}

template <class F>
void for_each_word(std::string_view text, F&& f) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    f(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

int longest_word(std::string_view text) {
  int longest = 0;
  for_each_word(text, [&](std::string_view word) { longest = std::max(longest, display_width(word)); });
  return longest;
}

std::vector<std::string> folded(std::string_view text, int width) {
  if (display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> out;
  std::string line;
  for_each_word(text, [&](std::string_view word) {
    if (!line.empty() && display_width(line) + 1 + display_width(word) <= width) {
      line += ' ' + std::string(word);
      return;
    }
    if (!line.empty()) out.push_back(std::move(line));
    while (display_width(word) > width) {
      const std::string_view part = beginning(word, width);
      if (part.size() == word.size()) break;
      out.emplace_back(part);
      word.remove_prefix(part.size());
    }
    line = word;
  });
  out.push_back(std::move(line));
  return out;
}

}  // namespace etiage::render
