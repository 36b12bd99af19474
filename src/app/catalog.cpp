#include "app/catalog.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "app/facts.h"
#include "base/csv.h"
#include "base/json_writer.h"
#include "catalog/models.h"
#include "catalog/tables.h"
#include "engines/serving/parameters.h"

namespace etiage::app {
namespace {

struct Shown {
  std::string_view name, csv;
  std::vector<std::string_view> seen;  ///< columns that people are shown; the rest only in wide, csv and JSON
};

std::vector<Shown> all(const catalog::Facts& facts) {
  return {{"cards",
           facts.tables.cards,
           {"card", "visible_gib", "bandwidth_gbs", "flops16_tera", "flops8_tera", "link_gbs", "verified"}},
          {"models",
           facts.tables.models,
           {"model", "layers", "hidden", "experts", "native_quantization", "verified"}},
          {"mig", facts.tables.mig_slices, {"card", "profile", "memory_gib", "sms", "verified"}},
          {"prices", catalog::prices_table(), {"kind", "key", "hourly", "card", "cards", "date"}}};
}

bool is_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.-") == std::string_view::npos &&
         std::ranges::count(cell, '.') <= 1 && cell.find('-', 1) == std::string_view::npos && cell != "-" &&
         cell != ".";
}

}  // namespace

Result<render::Table> catalog_table(std::string_view which, const std::vector<std::string>& catalogs) {
  const auto facts = facts_of(catalogs);
  if (!facts) return std::unexpected(facts.error());
  const auto tables = all(*facts);
  const auto found = std::ranges::find(tables, which, &Shown::name);
  if (found == tables.end())
    return failure(fmt::format("no table \"{}\"", which), {}, "cards, models, mig and prices are");
  render::Table table{.title = std::string(which)};
  auto done = read_csv(found->csv, std::string(which), [&](const CsvRow& row) -> Result<void> {
    if (table.columns.empty())
      for (const auto& column : row.header()) {
        const bool seen = std::ranges::find(found->seen, column) != found->seen.end();
        table.columns.push_back({.name = column,
                                 .align = render::Align::kLeft,
                                 .show = seen ? render::Show::kAlways : render::Show::kWide});
      }
    render::Row out;
    for (const auto& cell : row.cells()) {
      render::Cell c = render::text(cell);
      c.number = is_number(cell);
      out.cells.push_back(std::move(c));
    }
    table.rows.push_back(std::move(out));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  table.notes.push_back(
      "verified 0: a figure of the row was recalled, not looked up; the source of each row stands in -o "
      "wide.");
  return table;
}

std::string catalog_json(std::string_view which, const render::Table& table) {
  JsonWriter json;
  json.begin_object().key(which).begin_array();
  for (const auto& row : table.rows) {
    json.begin_object();
    for (std::size_t i = 0; i < row.cells.size() && i < table.columns.size(); ++i) {
      const auto& cell = row.cells[i];
      json.key(table.columns[i].name);
      if (cell.exact.empty())
        json.null();
      else if (cell.number && !(cell.exact.size() > 1 && cell.exact[0] == '0' && cell.exact[1] != '.'))
        json.raw(cell.exact);
      else
        json.value(cell.exact);
    }
    json.end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace etiage::app
