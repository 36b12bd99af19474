#include "engines/cel/source.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/utf8.h"

namespace etiage::cel {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
/// Longer lines are not shown with a fault.
constexpr std::size_t kMaxSnippet = 16384;

char32_t decode_one(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  switch (length) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
    case 3:
      return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    default:
      return (byte(0) & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3Fu);
  }
}

std::string display_one(const Issue& issue, const Source& source) {
  if (source.size() == 0) return "ERROR: <input>:1:0: " + issue.message;
  auto out =
      fmt::format("ERROR: <input>:{}:{}: {}", issue.location.line, issue.location.column + 1, issue.message);
  if (issue.location.line < 1) return out;
  const auto line = source.line(issue.location.line);
  const auto wide = [](char32_t c) { return c >= 0x80; };
  std::string snippet, pointer;
  for (const char32_t c : line) append_utf8(snippet, c == '\t' ? U' ' : c);
  if (snippet.size() > kMaxSnippet) return out;
  std::size_t i = 0;
  for (; i < static_cast<std::size_t>(issue.location.column) && i < line.size(); ++i) {
    pointer += wide(line[i]) ? "\uff0e" : ".";
  }
  pointer += i < line.size() && wide(line[i]) ? "\uff3e" : "^";
  return out + "\n | " + snippet + "\n | " + pointer;
}

}  // namespace

void append_utf8(std::string& out, char32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = kReplacement;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += length == 0 ? kReplacement : decode_one(text, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::size_t count_points(std::string_view text) {
  std::size_t points = 0;
  while (!text.empty()) {
    text.remove_prefix(std::max<std::size_t>(utf8_length(text), 1));
    ++points;
  }
  return points;
}

Source::Source(std::string_view text) : points_(decode_utf8(text)) {
  std::size_t at = 0;
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    bytes_.push_back(at);
    at += std::max<std::size_t>(utf8_length(text.substr(at)), 1);
    if (points_[i] == U'\n') line_starts_.push_back(i + 1);
  }
  bytes_.push_back(at);
}

Location Source::location(std::size_t offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return {static_cast<int>(next - line_starts_.begin()), static_cast<int>(offset - *(next - 1))};
}

std::size_t Source::offset(Location location) const {
  const auto line = static_cast<std::size_t>(std::max(location.line, 1)) - 1;
  return line_starts_[std::min(line, line_starts_.size() - 1)] +
         static_cast<std::size_t>(std::max(location.column, 0));
}

std::string Source::slice(std::size_t begin, std::size_t end) const {
  std::string out;
  for (std::size_t i = begin; i < std::min(end, points_.size()); ++i) append_utf8(out, points_[i]);
  return out;
}

std::u32string_view Source::line(int number) const {
  const auto index = static_cast<std::size_t>(number) - 1;
  if (number < 1 || index >= line_starts_.size()) return {};
  const std::size_t begin = line_starts_[index];
  const std::size_t end = index + 1 < line_starts_.size() ? line_starts_[index + 1] - 1 : points_.size();
  return std::u32string_view(points_).substr(begin, end - begin);
}

void Issues::report(Location location, std::string message) {
  if (++count_ <= kMaxIssues) list_.push_back({location, std::move(message)});
}

std::string Issues::display(const Source& source) const {
  auto sorted = list_;
  std::ranges::stable_sort(sorted, {}, &Issue::location);
  std::string out;
  for (const Issue& issue : sorted) {
    if (!out.empty()) out += '\n';
    out += display_one(issue, source);
  }
  if (count_ > kMaxIssues) out += fmt::format("\n{} more errors were truncated", count_ - kMaxIssues);
  return out;
}

}  // namespace etiage::cel
