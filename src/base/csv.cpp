#include "base/csv.h"

#include "base/csv_records.h"

namespace etiage {

std::string_view CsvRow::operator[](std::string_view column) const {
  for (std::size_t i = 0; i < header_.size() && i < cells_.size(); ++i)
    if (header_[i] == column) return cells_[i];
  return {};
}

Result<void> read_csv(std::string_view text, const std::string& file,
                      const std::function<Result<void>(const CsvRow&)>& row) {
  std::vector<std::string> header, cells;
  Result<void> done;
  CsvRecords records([&](const std::vector<std::string_view>& record, int line) {
    if (header.empty()) {
      header.assign(record.begin(), record.end());
      return true;
    }
    cells.assign(record.begin(), record.end());
    if (cells.size() > header.size())
      done = failure("a row of " + std::to_string(cells.size()) + " cells under a header of " +
                         std::to_string(header.size()),
                     {file, line}, "quote cells that hold commas");
    else
      done = row(CsvRow(header, cells, line));
    return done.has_value();
  });
  records.feed(text);
  const auto end = records.finish(file);
  if (!done) return done;
  if (!end) return end;
  if (header.empty()) return failure("no header line", {file, 1}, "the first line names the columns");
  return {};
}

Result<std::vector<std::string>> read_csv_header(std::string_view text, const std::string& file) {
  std::vector<std::string> header;
  CsvRecords records([&](const std::vector<std::string_view>& record, int) {
    header.assign(record.begin(), record.end());
    return false;
  });
  records.feed(text);
  if (const auto end = records.finish(file); !end) return std::unexpected(end.error());
  if (header.empty()) return failure("no header line", {file, 1}, "the first line names the columns");
  return header;
}

void append_csv_cell(std::string& out, std::string_view cell) {
  if (cell.find_first_of(",\"\n\r") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) (out += c) += c == '"' ? "\"" : "";
  out += '"';
}

}  // namespace etiage
