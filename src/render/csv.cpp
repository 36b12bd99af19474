#include <algorithm>
#include <cctype>

#include "render/table.h"

namespace etiage::render {
namespace {

/// A decimal number and nothing else: what a spreadsheet reads as a value and not as a formula.
bool is_plain_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !text.empty() && std::ranges::all_of(text, [&](char c) { return digit(c) || c == '.'; }) &&
         std::ranges::count(text, '.') <= 1 && std::ranges::any_of(text, digit);
}

std::string field(std::string text, bool number) {
  const bool formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  if (formula && !number && !is_plain_number(text)) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

}  // namespace

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += (i ? "," : "") + field(table.columns[i].name, false);
  out += '\n';
  for (const Row& row : table.rows) {
    if (row.total) continue;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i) out += ',';
      if (i < row.cells.size()) out += field(row.cells[i].exact, row.cells[i].number);
    }
    out += '\n';
  }
  return out;
}

}  // namespace etiage::render
