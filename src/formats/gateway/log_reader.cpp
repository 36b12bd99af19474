#include "formats/gateway/log_reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/csv_records.h"
#include "formats/gateway/json_words.h"
#include "formats/gateway/jsonc.h"
#include "formats/gateway/row.h"

namespace etiage::formats {

/// Where finished rows go.
class GatewayLogReader::Rows {
 public:
  explicit Rows(GatewayLog& log) : log_(log) {}

  GatewayWords words;
  ReadReport report;

  void end_row(int line) {
    const auto row = read_row(words);
    words.clear();
    if (!row) return drop(row.error().message, line);
    log_.add(row->caller, row->model, row->request);
    ++report.samples;
    report.timed = true;
    report.first_ms = std::min(report.first_ms, row->request.time.start.millis());
    report.last_ms = std::max(report.last_ms, row->request.time.end.millis());
  }
  void drop(std::string_view reason, int line) { report.drop(reason, {"", line}); }

 private:
  GatewayLog& log_;
};

class GatewayLogReader::Syntax {
 public:
  virtual ~Syntax() = default;
  virtual void feed(std::string_view chunk) = 0;
  virtual void finish() = 0;
};

namespace {

using Rows = GatewayLogReader::Rows;
using Kind = JsonToken::Kind;

/// Finds the objects that are rows: those that stand alone, in an outermost array, or in a list under a key
/// of an outermost object (`{"data": [...]}`).
class JsonRows final : public JsonVisitor {
 public:
  explicit JsonRows(Rows& rows) : rows_(rows) {}

  bool token(const JsonToken& t) override {
    if (t.kind == Kind::kKey && open_.size() == 1) list_due_ = holds_rows(t.text);
    if (t.kind == Kind::kBeginObject && begins_row()) {
      rows_.words.clear();
      inside_.emplace(rows_.words);
      row_ = open_.size() + 1;
      line_ = t.line;
    }
    if (row_ > 0) inside_->token(t);
    follow(t);
    return true;
  }

  /// What was open is given up.
  void abandon() {
    open_.clear();
    row_ = 0;
    rows_.words.clear();
  }

 private:
  static bool holds_rows(std::string_view key) {
    constexpr std::array<std::string_view, 11> kLists{"data",     "logs",    "spend_logs", "results",
                                                      "items",    "rows",    "value",      "records",
                                                      "requests", "entries", "response"};
    return std::ranges::find(kLists, key) != kLists.end();
  }
  bool begins_row() const {
    if (open_.empty() || open_ == "[") return true;
    return open_ == "{[" && list_due_;
  }
  void follow(const JsonToken& t) {
    if (t.kind == Kind::kBeginObject || t.kind == Kind::kBeginArray) {
      open_ += t.kind == Kind::kBeginObject ? '{' : '[';
    } else if (t.kind == Kind::kEndObject || t.kind == Kind::kEndArray) {
      const bool ends = t.kind == Kind::kEndObject && open_.size() == row_;
      open_.pop_back();
      if (ends) row_ = 0, rows_.end_row(line_);
    }
  }

  Rows& rows_;
  std::optional<JsonWords> inside_;
  std::string open_;     ///< the brackets that are open
  std::size_t row_ = 0;  ///< how many are open inside the row; 0: in none
  int line_ = 0;
  bool list_due_ = false;  ///< the value of the outermost object's key may be a list of rows
};

/// One text from the first byte to the last; a fault ends it.
class JsonStream final : public GatewayLogReader::Syntax {
 public:
  explicit JsonStream(Rows& rows) : rows_(rows), visitor_(rows), reader_(visitor_) {}

  void feed(std::string_view chunk) override { reader_.feed(filter_.pass(chunk)); }
  void finish() override {
    reader_.finish();
    if (const JsonFault* fault = reader_.fault()) rows_.drop("damaged JSON: " + fault->message, fault->line);
  }

 private:
  Rows& rows_;
  JsonRows visitor_;
  JsonReader reader_;
  JsoncFilter filter_;
};

/// A value a line: a damaged line costs no other.
class JsonLines final : public GatewayLogReader::Syntax {
 public:
  explicit JsonLines(Rows& rows) : rows_(rows), visitor_(rows) {}

  void feed(std::string_view chunk) override {
    while (!chunk.empty()) {
      const std::size_t end = std::min(chunk.find('\n'), chunk.size());
      if (!reader_) reader_.emplace(visitor_, JsonStart{0, line_}), filter_ = {};
      reader_->feed(filter_.pass(chunk.substr(0, end)));
      if (end == chunk.size()) return;
      end_line();
      chunk.remove_prefix(end + 1);
    }
  }
  void finish() override { end_line(); }

 private:
  void end_line() {
    if (reader_ && !reader_->finish()) {
      rows_.drop("damaged JSON: " + reader_->fault()->message, reader_->fault()->line);
      visitor_.abandon();
    }
    reader_.reset();
    ++line_;
  }

  Rows& rows_;
  JsonRows visitor_;
  std::optional<JsonReader> reader_;
  JsoncFilter filter_;
  int line_ = 1;
};

class CsvRows final : public GatewayLogReader::Syntax {
 public:
  explicit CsvRows(Rows& rows)
      : rows_(rows), records_([this](const auto& cells, int line) { return record(cells, line); }) {}

  void feed(std::string_view chunk) override { records_.feed(chunk); }
  void finish() override {
    if (const auto end = records_.finish(""); !end) rows_.drop(end.error().message, end.error().place.line);
  }

 private:
  bool record(const std::vector<std::string_view>& cells, int line) {
    if (columns_.empty()) {
      for (std::string_view cell : cells) {
        const std::string plain = plain_name(cell);
        columns_.push_back({gateway_name(plain), plain == "metadata"});
      }
      return true;
    }
    if (cells.size() > columns_.size()) return rows_.drop("a row with more cells than columns", line), true;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (columns_[i].name)
        rows_.words.set(*columns_[i].name, cells[i]);
      else if (columns_[i].json)
        read_words(cells[i], "metadata", rows_.words);
    rows_.end_row(line);
    return true;
  }

  struct Column {
    std::optional<GatewayName> name;
    bool json;
  };
  Rows& rows_;
  std::vector<Column> columns_;
  CsvRecords records_;
};

/// The first line is an object of its own.
bool one_a_line(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t last = line.find_last_not_of(" \t\r,");
  return last != line.npos && line[last] == '}';
}

}  // namespace

GatewayLogReader::GatewayLogReader(GatewayLog& log) : rows_(std::make_unique<Rows>(log)) {}
GatewayLogReader::~GatewayLogReader() = default;

void GatewayLogReader::feed(std::string_view chunk) {
  constexpr std::size_t kLongestLine = 4 << 20;
  if (syntax_) return syntax_->feed(chunk);
  ahead_ += chunk;
  if (ahead_.find('\n') == ahead_.npos && ahead_.size() < kLongestLine) return;
  begin();
}

void GatewayLogReader::begin() {
  std::string_view text = ahead_;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char c = first == text.npos ? ' ' : text[first];
  if (c == '{' && one_a_line(text.substr(first)))
    syntax_ = std::make_unique<JsonLines>(*rows_);
  else if (c == '{' || c == '[' || c == '#' || c == '/')
    syntax_ = std::make_unique<JsonStream>(*rows_);
  else
    syntax_ = std::make_unique<CsvRows>(*rows_);
  syntax_->feed(text);
  ahead_.clear();
}

ReadReport GatewayLogReader::finish() {
  if (!syntax_) begin();
  syntax_->finish();
  return std::move(rows_->report);
}

}  // namespace etiage::formats
