#include "formats/invoice/invoice_reader.h"

#include <optional>

#include "base/csv_records.h"
#include "formats/gateway/fields.h"
#include "formats/invoice/amount.h"
#include "formats/invoice/columns.h"
#include "formats/json_reader.h"
#include "formats/moment.h"

namespace etiage::formats {
namespace {

/// Keeps the value of one key of the outermost object.
struct OneValue final : JsonVisitor {
  std::string_view wanted;
  std::string found;
  int depth = 0;
  bool due = false;

  bool token(const JsonToken& t) override {
    using Kind = JsonToken::Kind;
    if (t.kind == Kind::kBeginObject || t.kind == Kind::kBeginArray) ++depth;
    if (t.kind == Kind::kEndObject || t.kind == Kind::kEndArray) --depth;
    if (due && (t.kind == Kind::kString || t.kind == Kind::kNumber)) found = t.text;
    due = t.kind == Kind::kKey && depth == 1 && plain_name(t.text) == wanted;
    return found.empty();
  }
};

}  // namespace

Header::Header(const Cells& cells) : size_(cells.size()) {
  for (std::size_t i = 0; i < cells.size(); ++i) columns_.try_emplace(plain_name(cells[i]), i);
}

std::string_view Header::cell(const Cells& cells, std::string_view plain) const {
  const auto it = columns_.find(plain);
  return it != columns_.end() && it->second < cells.size() ? cells[it->second] : std::string_view{};
}

Result<PicoAmount> amount_of(std::string_view cell) {
  if (cell.empty() || cell == "null" || cell == "NULL") return PicoAmount{0};
  if (const auto amount = parse_amount(cell)) return *amount;
  return failure("a cost that is no number");
}

Result<Window> period_of(std::string_view start, std::string_view end) {
  const auto from = parse_moment(start), to = parse_moment(end);
  if (!from || !to) return failure("a charge period that cannot be read");
  const Window out{from->start, to->start};
  if (out.empty()) return failure("a charge period that ends before it begins");
  return out;
}

std::string json_value(std::string_view json, std::string_view plain) {
  OneValue visitor;
  visitor.wanted = plain;
  static_cast<void>(read_json(json, visitor));
  return visitor.found;
}

struct InvoiceReader::State {
  explicit State(Take take)
      : take(std::move(take)),
        records([this](const Cells& cells, int line) { return record(cells, line); }) {}

  bool record(const Cells& cells, int line) {
    if (!columns) return begin(cells);
    if (cells.size() > header.size())
      return report.drop("a row with more cells than columns", {"", line}), true;
    const auto read = columns->line(cells);
    if (!read) return report.drop(read.error().message, {"", line}), true;
    ++report.samples;
    report.timed = true;
    report.first_ms = std::min(report.first_ms, read->period.start.millis());
    report.last_ms = std::max(report.last_ms, read->period.end.millis());
    take(*read);
    return true;
  }

  bool begin(const Cells& cells) {
    header = Header(cells);
    auto found = header.has("lineitemlineitemtype") ? cur_columns(header) : focus_columns(header);
    if (!found) fault = found.error();
    if (found) columns = std::move(*found);
    return !fault;
  }

  Take take;
  Header header;
  std::unique_ptr<Columns> columns;
  std::optional<Error> fault;
  ReadReport report;
  CsvRecords records;
};

InvoiceReader::InvoiceReader(Take take) : state_(std::make_unique<State>(std::move(take))) {}
InvoiceReader::~InvoiceReader() = default;

bool InvoiceReader::feed(std::string_view chunk) {
  return state_->records.feed(chunk) && !state_->fault;
}

Result<ReadReport> InvoiceReader::finish(const std::string& file) {
  const auto end = state_->records.finish(file);
  if (state_->fault) {
    state_->fault->place = {file, 1};
    return std::unexpected(*state_->fault);
  }
  if (!state_->columns)
    return failure("no header line", {file, 1}, "the first line of an invoice names its columns");
  if (!end) state_->report.drop(end.error().message, {"", end.error().place.line});
  return std::move(state_->report);
}

std::string InvoiceReader::dialect() const {
  return state_->columns ? state_->columns->dialect() : "";
}

}  // namespace etiage::formats
