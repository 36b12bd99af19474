#include <fmt/format.h>

#include "render/table.h"
#include "render/width.h"

namespace etiage::render {
namespace {

/// Nothing in it is read as a table's bar, emphasis, a link, a mention or HTML.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\|`*_[]~").find(c) != std::string_view::npos) out += '\\';
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '@')
      out += "&#64;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string to_markdown(const Table& table) {
  std::string out = table.title.empty() ? "" : fmt::format("**{}**\n\n", escaped(table.title));
  if (!table.rows.empty()) {
    std::string names = "|", rule = "|";
    for (const Column& column : table.columns) {
      if (column.show == Show::kData) continue;
      const std::string title = heading_of(column);
      names += fmt::format(" {} |",
                           escaped(column.unit.empty() ? title : fmt::format("{} ({})", title, column.unit)));
      rule += column.align == Align::kRight ? " ---: |" : " --- |";
    }
    out += names + '\n' + rule + '\n';
  }
  for (const Row& row : table.rows) {
    out += '|';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].show == Show::kData) continue;
      const std::string cell = i < row.cells.size() ? escaped(row.cells[i].shown) : "";
      out += row.total && !cell.empty() ? fmt::format(" **{}** |", cell) : fmt::format(" {} |", cell);
    }
    out += '\n';
  }
  if (!table.notes.empty() && !out.empty()) out += '\n';
  for (const std::string& note : table.notes) out += fmt::format("- {}\n", escaped(note));
  return out;
}

}  // namespace etiage::render
