#pragma once
// Comma-separated text (RFC 4180) as a stream of records: input in chunks of any size, one record in memory.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage {

/// Empty lines are skipped, `\r\n` is accepted, a byte order mark is dropped. The first line tells what
/// separates the cells: the first of comma, semicolon and tab that stands in it outside quotes.
class CsvRecords {
 public:
  /// One record, the header too; `line` counts from 1. The views live only as long as the call; false:
  /// enough.
  using Take = std::function<bool(const std::vector<std::string_view>& cells, int line)>;
  /// A record that is longer has a quote that was never closed.
  static constexpr std::size_t kLongest = 16 << 20;

  explicit CsvRecords(Take take) : take_(std::move(take)) {}

  /// False where nothing more is wanted: a fault, or `take` has had enough.
  bool feed(std::string_view chunk);
  /// The input ends here. An error where a quoted cell never ends; `file` is for its place.
  Result<void> finish(const std::string& file);

 private:
  enum class State { kCellStart, kPlain, kQuoted, kQuoteInQuoted };

  bool byte(char c);
  bool plain_byte(char c);
  bool end_record();
  void end_cell();
  /// How many of the first bytes go into the open cell as they are.
  std::size_t run(std::string_view text) const;

  Take take_;
  State state_ = State::kCellStart;
  std::size_t mark_ = 0;  ///< bytes of a byte order mark seen; all of them: it is over
  char separator_ = 0;    ///< 0: not told yet
  std::string text_;      ///< of all cells of the record
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> cells_;
  int line_ = 1, begin_ = 1;
  bool stopped_ = false, endless_ = false;
};

}  // namespace etiage
