#pragma once
// Comma-separated text (RFC 4180) with a header line, row by row: nothing but the current row is kept.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage {

/// One data row. Cells are found by the name of their column.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& header, const std::vector<std::string>& cells, int line)
      : header_(header), cells_(cells), line_(line) {}

  /// The cell of that column; empty where the column or the cell is missing.
  std::string_view operator[](std::string_view column) const;
  const std::vector<std::string>& header() const { return header_; }
  const std::vector<std::string>& cells() const { return cells_; }
  int line() const { return line_; }

 private:
  const std::vector<std::string>& header_;
  const std::vector<std::string>& cells_;
  int line_;
};

/// Calls `row` for each data row until it returns an error. Empty lines are skipped, `\r\n` is accepted, a
/// byte order mark is dropped. Errors: no header, a quote that never closes, a row with more cells than the
/// header has columns.
Result<void> read_csv(std::string_view text, const std::string& file,
                      const std::function<Result<void>(const CsvRow&)>& row);

/// The names of the columns alone. An error where there is no header.
Result<std::vector<std::string>> read_csv_header(std::string_view text, const std::string& file);

/// Appends a cell, quoted where it must be.
void append_csv_cell(std::string& out, std::string_view cell);

}  // namespace etiage
