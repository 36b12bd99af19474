#include "base/csv.h"

namespace etiage {
namespace {

/// Takes one record off the front of `text`; false where a quote never closes.
bool take_record(std::string_view& text, std::vector<std::string>& cells, int& line) {
  cells.assign(1, "");
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"') {
        cells.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cells.back() += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"' && cells.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      cells.emplace_back();
    } else if (c == '\n') {
      ++i;
      break;
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  text.remove_prefix(i);
  return !quoted;
}

bool blank(const std::vector<std::string>& cells) {
  return cells.size() == 1 && cells[0].empty();
}

}  // namespace

std::string_view CsvRow::operator[](std::string_view column) const {
  for (std::size_t i = 0; i < header_.size() && i < cells_.size(); ++i)
    if (header_[i] == column) return cells_[i];
  return {};
}

Result<void> read_csv(std::string_view text, const std::string& file,
                      const std::function<Result<void>(const CsvRow&)>& row) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> header, cells;
  int line = 1;
  while (!text.empty()) {
    const int begin = line;
    if (!take_record(text, cells, line)) return failure("a quoted cell never ends", {file, begin});
    if (blank(cells)) continue;
    if (header.empty()) {
      header = cells;
      continue;
    }
    if (cells.size() > header.size())
      return failure("a row of " + std::to_string(cells.size()) + " cells under a header of " +
                         std::to_string(header.size()),
                     {file, begin}, "quote cells that hold commas");
    if (auto done = row(CsvRow(header, cells, begin)); !done) return done;
  }
  if (header.empty()) return failure("no header line", {file, 1}, "the first line names the columns");
  return {};
}

}  // namespace etiage
