#include "base/csv_records.h"

#include <algorithm>

namespace etiage {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr std::string_view kSeparators = ",;\t";

}  // namespace

std::size_t CsvRecords::run(std::string_view text) const {
  if (state_ == State::kQuoted) return std::min(text.find_first_of("\"\n"), text.size());
  if (state_ != State::kPlain || separator_ == 0) return 0;
  const auto ends = [this](char c) { return c == separator_ || c == '\n' || c == '\r'; };
  return static_cast<std::size_t>(std::ranges::find_if(text, ends) - text.begin());
}

bool CsvRecords::feed(std::string_view chunk) {
  while (mark_ < kMark.size() && !chunk.empty() && chunk.front() == kMark[mark_])
    chunk.remove_prefix(1), ++mark_;
  if (!chunk.empty() && mark_ < kMark.size()) {  // it was none: what looked like one is text
    const std::string_view mistaken = kMark.substr(0, std::exchange(mark_, kMark.size()));
    for (char c : mistaken) byte(c);
  }
  while (!chunk.empty() && !stopped_ && !endless_) {
    const std::size_t n = run(chunk);
    text_ += chunk.substr(0, n);
    chunk.remove_prefix(n);
    endless_ = text_.size() > kLongest;
    if (chunk.empty() || endless_) break;
    stopped_ = !byte(chunk.front());
    chunk.remove_prefix(1);
  }
  return !stopped_ && !endless_;
}

bool CsvRecords::byte(char c) {
  if (c == '\n') ++line_;
  if (state_ == State::kQuoted) {
    if (c == '"') {
      state_ = State::kQuoteInQuoted;
    } else {
      text_ += c;
    }
    return true;
  }
  if (state_ == State::kQuoteInQuoted && c == '"') {
    text_ += c;
    state_ = State::kQuoted;
    return true;
  }
  if (state_ == State::kCellStart && c == '"') {
    state_ = State::kQuoted;
    return true;
  }
  return plain_byte(c);
}

bool CsvRecords::plain_byte(char c) {
  if (c == '\n') return end_record();
  if (separator_ == 0 && kSeparators.contains(c)) separator_ = c;
  if (c == separator_) {
    end_cell();
  } else if (c != '\r') {
    text_ += c;
    state_ = State::kPlain;
  }
  return true;
}

void CsvRecords::end_cell() {
  ends_.push_back(text_.size());
  state_ = State::kCellStart;
}

bool CsvRecords::end_record() {
  end_cell();
  bool more = true;
  if (!text_.empty() || ends_.size() > 1) {
    cells_.clear();
    std::size_t begin = 0;
    for (std::size_t end : ends_) {
      cells_.push_back(std::string_view(text_).substr(begin, end - begin));
      begin = end;
    }
    if (separator_ == 0) separator_ = ',';
    more = take_(cells_, begin_);
  }
  text_.clear();
  ends_.clear();
  begin_ = line_;
  return more;
}

Result<void> CsvRecords::finish(const std::string& file) {
  if (stopped_) return {};
  if (endless_ || state_ == State::kQuoted)
    return failure("a quoted cell never ends", {file, begin_}, "what came before it is used");
  if (mark_ > 0 && mark_ < kMark.size()) text_ += kMark.substr(0, mark_);
  if (!text_.empty() || !ends_.empty() || state_ == State::kQuoteInQuoted) end_record();
  return {};
}

}  // namespace etiage
