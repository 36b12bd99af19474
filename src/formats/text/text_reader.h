#pragma once
// Prometheus exposition text, OpenMetrics, and what `promtool tsdb dump` and `dump-openmetrics` print: as a
// stream of bytes, forgiving. What cannot be read is counted with its reason, and the rest is used. (How
// Prometheus itself would judge a text: strict.h.)

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/read_report.h"
#include "formats/samples.h"
#include "formats/text/series_head.h"

namespace etiage::formats {

enum class TextTimes : std::uint8_t {
  kAuto,     ///< told from each stamp: see text/number.h
  kSeconds,  ///< OpenMetrics
};

struct TextOptions {
  std::int64_t scrape_ms = 0;  ///< the time of samples that bring none
  TextTimes times = TextTimes::kAuto;
};

/// Feed it the bytes in pieces of any size, then finish. Holds no more than one line; a line above 1 MiB is
/// dropped. Series that repeat line after line cost no parsing of labels: the line's head is compared with
/// the one before.
class TextReader {
 public:
  explicit TextReader(SampleVisitor& visitor, TextOptions options = {});

  void feed(std::string_view bytes);
  ReadReport finish();

 private:
  void read_lines(const char* p, const char* end);
  const char* read_line(const char* p, const char* end);
  const char* read_new_series(const char* p, const char* end);
  std::string_view metric_at(const char* p, const char* end) const;
  const char* begin_series(const char* head, const char* value, const char* end);
  const char* read_sample(const char* p, const char* end);
  const char* read_comment(const char* p, const char* end);
  const char* drop_line(const char* p, const char* end, std::string_view reason);
  void announce(Labels labels);
  void keep_tail(std::string_view bytes);
  void remember_head();
  void flush();

  SampleVisitor& visitor_;
  TextOptions options_;
  ReadReport report_;
  text::SeriesHead parser_;

  // The series of the line before: its head with the blank that follows it, whether anyone wants it.
  std::string_view head_;
  std::string head_copy_;
  std::string metric_;  ///< its name, where it stands bare before the labels
  bool metric_wanted_ = false;
  bool wanted_ = false;
  SeriesRef series_ = 0;

  std::vector<Sample> batch_;
  std::string tail_;       ///< the unfinished line at the end of the last piece
  bool overlong_ = false;  ///< inside a line that is being dropped for its length
};

/// Cuts a text that lies in memory into at most `parts` pieces of like size, each ending at a line's end, to
/// be read by as many threads with a reader each; the reports are put together by `ReadReport::append`.
std::vector<std::string_view> split_at_lines(std::string_view text, std::size_t parts);

}  // namespace etiage::formats
