#include "formats/text/text_reader.h"

#include <cstring>

#include "formats/text/bytes.h"
#include "formats/text/number.h"

namespace etiage::formats {
namespace {

constexpr std::size_t kBatch = 512;
constexpr std::size_t kMaxLine = 1 << 20;
/// A stale marker, as `inspect --samples` and bundles write it; no exporter does.
constexpr std::string_view kStale = "StaleNaN ";

using text::find_line_feed, text::skip_blanks;

}  // namespace

TextReader::TextReader(SampleVisitor& visitor, TextOptions options) : visitor_(visitor), options_(options) {
  batch_.reserve(kBatch);
}

void TextReader::feed(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  if (overlong_ || !tail_.empty()) {
    const char* const feed = find_line_feed(p, end);
    keep_tail({p, feed});
    if (feed == end) return;
    p = feed + 1;
    if (!overlong_) {
      tail_ += '\n';
      read_lines(tail_.data(), tail_.data() + tail_.size());
    }
    tail_.clear();
    overlong_ = false;
  }
  const auto last = std::string_view(p, end).rfind('\n');
  if (last != std::string_view::npos) {
    read_lines(p, p + last + 1);
    p += last + 1;
  }
  keep_tail({p, end});
}

ReadReport TextReader::finish() {
  if (!tail_.empty()) {
    // A stamp cut short is another moment, and a value cut short another value.
    if (report_.timed && !tail_.starts_with('#')) {
      ++report_.lines;
      drop_line(nullptr, nullptr, "the text ends in the middle of a line");
    } else {
      tail_ += '\n';
      read_lines(tail_.data(), tail_.data() + tail_.size());
    }
    tail_.clear();
  }
  flush();
  return std::move(report_);
}

void TextReader::keep_tail(std::string_view bytes) {
  if (overlong_) return;
  if (tail_.size() + bytes.size() <= kMaxLine) {
    tail_ += bytes;
    return;
  }
  tail_.clear();
  overlong_ = true;
  ++report_.lines;
  drop_line(nullptr, nullptr, "a line longer than 1 MiB");
}

/// Whole lines only: the byte before `end` is a line feed, so the readers of numbers stop in time.
void TextReader::read_lines(const char* p, const char* end) {
  while (p < end) {
    ++report_.lines;
    p = read_line(p, end);
  }
  remember_head();
}

const char* TextReader::read_line(const char* p, const char* end) {
  const std::size_t n = head_.size();
  // A brace after the blank of a bare name begins the labels of another series.
  if (n > 0 && static_cast<std::size_t>(end - p) > n && std::memcmp(p, head_.data(), n) == 0 && p[n] != '{')
    return wanted_ ? read_sample(p + n, end) : find_line_feed(p + n, end) + 1;
  p = skip_blanks(p, end);
  if (*p == '\n') return p + 1;
  if (*p == '\r' && p[1] == '\n') return p + 2;
  return *p == '#' ? read_comment(p, end) : read_new_series(p, end);
}

const char* TextReader::read_comment(const char* p, const char* end) {
  const char* const feed = find_line_feed(p, end);
  std::string_view line(p, feed);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line == "# EOF") report_.complete = true;
  return feed + 1;
}

const char* TextReader::read_new_series(const char* p, const char* end) {
  const std::string_view name = metric_at(p, end);
  if (!name.empty() && name != metric_) {
    metric_ = name;
    metric_wanted_ = visitor_.wants(name);
  }
  if (!name.empty() && !metric_wanted_) return find_line_feed(p + name.size(), end) + 1;
  if (const char* const next = name.empty() ? nullptr : parser_.read_alike(p, end, name))
    return begin_series(p, skip_blanks(next, end), end);
  const char* const feed = find_line_feed(p, end);
  const char* const next = parser_.read(p, feed);
  if (next == nullptr) return drop_line(p, end, parser_.fault());
  if (next == feed) return drop_line(p, end, "no value");
  if (!text::is_blank(*next) && next[-1] != '}') return drop_line(p, end, "not a metric name");
  if (name.empty() && !visitor_.wants(parser_.metric())) {
    flush();
    head_ = {p, next};
    wanted_ = false;
    return feed + 1;
  }
  return begin_series(p, skip_blanks(next, feed), end);
}

/// The bare name at `p`; mostly it is the one of the line before.
std::string_view TextReader::metric_at(const char* p, const char* end) const {
  const std::size_t n = metric_.size();
  if (n > 0 && static_cast<std::size_t>(end - p) > n && (p[n] == '{' || p[n] == ' ') &&
      std::memcmp(p, metric_.data(), n) == 0)
    return {p, n};
  return text::SeriesHead::bare_name(p, end);
}

/// A series that was read from `head` to `value` and whose metric is wanted.
const char* TextReader::begin_series(const char* head, const char* value, const char* end) {
  flush();
  head_ = {head, value};
  announce(parser_.labels());
  return wanted_ ? read_sample(value, end) : find_line_feed(value, end) + 1;
}

void TextReader::announce(Labels labels) {
  const auto ref = visitor_.series(labels);
  wanted_ = ref.has_value();
  series_ = ref.value_or(0);
}

/// Value, stamp (seldom missing in a dump), end of line.
const char* TextReader::read_sample(const char* p, const char* end) {
  auto number = text::read_float(p, end);
  if (number.next == nullptr && std::string_view(p, end).starts_with(kStale))
    number = {p + kStale.size(), stale_marker()};
  if (number.next == nullptr)
    return drop_line(p, end, *p == '{' ? "a native histogram as text" : "not a number");
  Sample sample{options_.scrape_ms, number.value};
  const char* q = skip_blanks(number.next, end);
  const bool timed = *q != '\n' && *q != '\r' && *q != '#';
  if (timed) {
    const auto stamp = text::read_stamp(q, end, options_.times == TextTimes::kSeconds);
    if (stamp.next == nullptr) return drop_line(q, end, "not a time");
    sample.ms = stamp.ms;
    q = skip_blanks(stamp.next, end);
  }
  if (*q == '\r') ++q;
  if (*q == '#') q = find_line_feed(q, end);  // an exemplar
  if (*q != '\n') return drop_line(q, end, "more on the line than a value and a time");
  report_.timed |= timed;
  batch_.push_back(sample);
  if (batch_.size() == kBatch) flush();
  return q + 1;
}

const char* TextReader::drop_line(const char* p, const char* end, std::string_view reason) {
  report_.drop(reason, {.line = static_cast<int>(report_.lines)});
  return p == nullptr ? nullptr : find_line_feed(p, end) + 1;
}

void TextReader::flush() {
  if (batch_.empty()) return;
  report_.count(batch_);
  visitor_.samples(series_, batch_);
  batch_.clear();
}

/// The piece that `head_` points into is about to go.
void TextReader::remember_head() {
  if (head_.data() == head_copy_.data()) return;
  head_copy_ = head_;
  head_ = head_copy_;
}

std::vector<std::string_view> split_at_lines(std::string_view text, std::size_t parts) {
  std::vector<std::string_view> pieces;
  for (; parts > 0 && !text.empty(); --parts) {
    const std::size_t feed = parts == 1 ? std::string_view::npos : text.find('\n', text.size() / parts);
    const std::size_t n = feed == std::string_view::npos ? text.size() : feed + 1;
    pieces.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return pieces;
}

}  // namespace etiage::formats
