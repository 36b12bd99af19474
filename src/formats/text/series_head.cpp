#include "formats/text/series_head.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

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
  plain_ = true;
  metric_ = bare_name(p, end);
  if (!metric_.empty()) labels_.push_back({kName, metric_});
  p += metric_.size();
  const char* const brace = skip_blanks(p, end);
  if (brace < end && *brace == '{') {
    p = read_labels(brace + 1, end);
    if (p == nullptr) return nullptr;
  }
  if (metric_.empty()) return refuse("no metric name");
  std::vector<std::string_view> names;
  for (const Label& l : labels_) names.push_back(l.name);
  if (!finish()) return nullptr;
  if (plain_)
    learn(std::move(names));
  else
    layout_.clear();
  return p;
}

/// `names` in the order of the text, the metric's first.
void SeriesHead::learn(std::vector<std::string_view> names) {
  const auto slot_of = [&](std::string_view name) {
    const auto at =
        std::ranges::find_if(labels_, [&](const Label& l) { return l.name.data() == name.data(); });
    return static_cast<std::uint32_t>(at - labels_.begin());
  };
  layout_.clear();
  layout_text_.clear();
  metric_slot_ = slot_of(names.front());
  for (const std::string_view name : std::span(names).subspan(1)) {
    const auto begin = static_cast<std::uint32_t>(layout_text_.size());
    layout_text_.append(name).append("=\"");
    layout_.push_back({begin, static_cast<std::uint32_t>(name.size() + 2), slot_of(name)});
  }
}

const char* SeriesHead::read_alike(const char* p, const char* end, std::string_view metric) {
  p += metric.size();
  if (layout_.empty() || p == end || *p != '{') return nullptr;
  labels_.resize(layout_.size() + 1);
  for (const LayoutLabel& known : layout_) {
    ++p;  // the brace, or a comma
    if (static_cast<std::size_t>(end - p) <= known.size ||
        std::memcmp(p, layout_text_.data() + known.begin, known.size) != 0)
      return nullptr;
    const char* const value = p + known.size;
    const QuoteEnd quote = find_quote(value, end);
    if (!quote.ascii || quote.at == value || end - quote.at < 2 || *quote.at != '"') return nullptr;
    labels_[known.slot] = {{p, known.size - 2}, {value, quote.at}};
    p = quote.at + 1;
    if (*p != (&known == &layout_.back() ? '}' : ',')) return nullptr;
  }
  labels_[metric_slot_] = {kName, metric};
  metric_ = metric;
  return p + 1;
}

const char* SeriesHead::read_labels(const char* p, const char* end) {
  for (;;) {
    p = skip_blanks(p, end);
    if (p < end && *p == '}') return p + 1;
    p = read_label(p, end);
    if (p == nullptr) return nullptr;
    p = skip_blanks(p, end);
    // Prometheus does not insist on the comma either.
    if (p < end && *p == ',') ++p;
    if (p == end) return refuse("labels are not closed by a brace");
  }
}

const char* SeriesHead::read_label(const char* p, const char* end) {
  std::string_view name, value;
  const bool quoted = p < end && *p == '"';
  plain_ &= !quoted;
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
  if (name == kName) {
    plain_ = false;
    return put_name(value) ? p : nullptr;
  }
  plain_ &= !value.empty() && unescaped_.empty();
  if (!value.empty()) labels_.push_back({name, value});
  return p;
}

const char* SeriesHead::read_quoted(const char* p, const char* end, std::string_view& text) {
  const char* const begin = ++p;
  auto [at, ascii] = find_quote(p, end);
  p = at;
  if (p < end && *p == '\\') {
    p = unescape(begin, p, end, text);
    if (p == nullptr) return nullptr;
    ascii = false;
  } else {
    text = {begin, p};
  }
  if (p == end || *p != '"') return refuse("a quote is not closed");
  if (!ascii && !is_utf8(text)) return refuse("a label is not UTF-8");
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
    p = find_quote(p, end).at;
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
