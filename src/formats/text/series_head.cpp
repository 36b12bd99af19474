#include "formats/text/series_head.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "formats/text/bytes.h"

namespace etiage::formats::text {
namespace {

enum CharClass : std::uint8_t { kNameStart = 1, kNameRest = 2, kColon = 4 };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> t{};
  for (int c = 'a'; c <= 'z'; ++c) t[c] = t[c - 0x20] = kNameStart | kNameRest;
  for (int c = '0'; c <= '9'; ++c) t[c] = kNameRest;
  t['_'] = kNameStart | kNameRest;
  t[':'] = kColon;
  return t;
}();

constexpr bool is(char c, int classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

constexpr std::string_view kName = "__name__";

bool name_less(const Label& a, const Label& b) {
  // Names rarely share their first letter: save the call of memcmp.
  if (!a.name.empty() && !b.name.empty() && a.name[0] != b.name[0])
    return static_cast<unsigned char>(a.name[0]) < static_cast<unsigned char>(b.name[0]);
  return a.name < b.name;
}

/// Exporters write labels nearly in order, so insertion beats a general sort up to a few dozen.
void sort_labels(std::vector<Label>& labels) {
  if (labels.size() > 32) {
    std::ranges::sort(labels, name_less);
    return;
  }
  for (std::size_t i = 1; i < labels.size(); ++i)
    for (std::size_t j = i; j > 0 && name_less(labels[j], labels[j - 1]); --j)
      std::swap(labels[j], labels[j - 1]);
}

}  // namespace

std::string_view SeriesHead::bare_name(const char* p, const char* end) {
  if (p == end || !is(*p, kNameStart | kColon)) return {};
  const char* q = p + 1;
  while (q < end && is(*q, kNameRest | kColon)) ++q;
  return {p, q};
}

const char* SeriesHead::read(const char* p, const char* end) {
  labels_.clear();
  fault_ = {};
  unescaped_.clear();
  metric_ = bare_name(p, end);
  if (!metric_.empty()) labels_.push_back({kName, metric_});
  p += metric_.size();
  const char* const brace = skip_blanks(p, end);
  if (brace < end && *brace == '{') {
    p = read_labels(brace + 1, end);
    if (p == nullptr) return nullptr;
  }
  if (metric_.empty()) return refuse("no metric name");
  return finish() ? p : nullptr;
}

const char* SeriesHead::read_labels(const char* p, const char* end) {
  for (;;) {
    p = skip_blanks(p, end);
    if (p < end && *p == '}') return p + 1;
    p = read_label(p, end);
    if (p == nullptr) return nullptr;
    p = skip_blanks(p, end);
    if (p < end && *p == ',')
      ++p;
    else if (p == end || *p != '}')
      return refuse("labels are not closed by a brace");
  }
}

const char* SeriesHead::read_label(const char* p, const char* end) {
  std::string_view name, value;
  const bool quoted = p < end && *p == '"';
  if (quoted) {
    p = read_quoted(p, end, name);
    if (p == nullptr) return nullptr;
  } else {
    if (p == end || !is(*p, kNameStart)) return refuse("no label name");
    const char* q = p + 1;
    while (q < end && is(*q, kNameRest)) ++q;
    name = {p, q};
    p = q;
  }
  p = skip_blanks(p, end);
  if (quoted && (p == end || *p != '=')) return put_name(name) ? p : nullptr;
  if (p == end || *p != '=') return refuse("a label without a value");
  p = skip_blanks(p + 1, end);
  if (p == end || *p != '"') return refuse("a label's value is not quoted");
  p = read_quoted(p, end, value);
  if (p == nullptr) return nullptr;
  if (name == kName) return put_name(value) ? p : nullptr;
  if (!value.empty()) labels_.push_back({name, value});
  return p;
}

const char* SeriesHead::read_quoted(const char* p, const char* end, std::string_view& text) {
  const char* const begin = ++p;
  p = find_quote(p, end);
  if (p < end && *p == '\\') {
    p = unescape(begin, p, end, text);
    if (p == nullptr) return nullptr;
  } else {
    text = {begin, p};
  }
  if (p == end || *p != '"') return refuse("a quote is not closed");
  if (!is_ascii(text) && !is_utf8(text)) return refuse("a label is not UTF-8");
  return p + 1;
}

/// `\\`, `\"` and `\n`; other pairs stay as they are. Stops at the closing quote or the end of the line.
const char* SeriesHead::unescape(const char* begin, const char* p, const char* end, std::string_view& text) {
  // All of the line fits, so that earlier views into the buffer stay good.
  if (unescaped_.empty()) unescaped_.reserve(static_cast<std::size_t>(end - begin) + 1);
  const std::size_t at = unescaped_.size();
  while (p < end && *p == '\\') {
    unescaped_.append(begin, p);
    if (++p == end) return refuse("a quote is not closed");
    if (*p == 'n')
      unescaped_ += '\n';
    else if (*p == '"' || *p == '\\')
      unescaped_ += *p;
    else
      unescaped_.append({'\\', *p});
    begin = ++p;
    p = find_quote(p, end);
  }
  unescaped_.append(begin, p);
  text = std::string_view(unescaped_).substr(at);
  return p;
}

bool SeriesHead::put_name(std::string_view name) {
  if (!metric_.empty() || name.empty()) return refuse("two metric names"), false;
  metric_ = name;
  labels_.push_back({kName, name});
  return true;
}

bool SeriesHead::finish() {
  sort_labels(labels_);
  const auto twice = std::ranges::adjacent_find(labels_, {}, &Label::name);
  if (twice != labels_.end()) return refuse("a label stands twice"), false;
  return true;
}

std::nullptr_t SeriesHead::refuse(std::string_view why) {
  fault_ = why;
  return nullptr;
}

}  // namespace etiage::formats::text
