#include "formats/yaml_ranges.h"

#include <algorithm>

namespace etiage::formats {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_space(char c) {
  return kSpace.contains(c);
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kSpace, at), text.size());
}

/// Past `!tag` and `&anchor`.
std::size_t skip_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '!' || text[at] == '&'))
    at = skip_space(text, std::min(text.find_first_of(kSpace, at), text.size()));
  return at;
}

std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 >= text.size() || text[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return text.size();
}

/// The lines after the `|` or `>` that are indented deeper than `indent`; blank ones at the end do not count.
std::size_t block_end(std::string_view text, std::size_t at, int indent) {
  std::size_t end = std::min(text.find('\n', at), text.size());
  for (std::size_t line = end; line < text.size();) {
    const std::size_t first = line + 1;
    const std::size_t next = std::min(text.find('\n', first), text.size());
    const std::size_t content = std::min(text.find_first_not_of(" \r", first), next);
    if (content < next) {
      if (static_cast<int>(content - first) <= indent) break;
      end = next;
    }
    line = next;
  }
  return end;
}

/// A plain scalar folds line breaks to spaces: any run of white space in the text stands for one in the
/// value.
std::size_t plain_end(std::string_view text, std::size_t at, std::string_view value) {
  std::size_t i = 0;
  while (i < value.size() && at < text.size()) {
    if (is_space(value[i]) && is_space(text[at])) {
      while (i < value.size() && is_space(value[i])) ++i;
      at = skip_space(text, at);
    } else {
      ++i;
      ++at;
    }
  }
  return at;
}

}  // namespace

std::size_t yaml_scalar_end(std::string_view text, std::size_t begin, std::string_view value, int indent) {
  const std::size_t at = skip_properties(text, begin);
  if (at >= text.size()) return text.size();
  switch (text[at]) {
    case '"':
    case '\'':
      return quoted_end(text, at);
    case '|':
    case '>':
      return block_end(text, at, indent);
    default:
      return plain_end(text, at, value);
  }
}

std::size_t yaml_flow_end(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const char c = text[from++];
    if (c == ']' || c == '}') return from;
    if (c == '#') from = std::min(text.find('\n', from), text.size());
  }
  return text.size();
}

}  // namespace etiage::formats
