// A price list as a table.

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>

#include "base/csv.h"
#include "formats/prices_shapes.h"

namespace etiage::formats {
namespace {

using Field = std::string PriceWords::*;

std::string_view without_space(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Without space around, and without quotes that only look like quotes because a space stands before them.
std::string trimmed(std::string_view text) {
  text = without_space(text);
  if (text.size() > 1 && text.starts_with('"') && text.ends_with('"'))
    text = without_space(text.substr(1, text.size() - 2));
  return std::string(text);
}

/// Column names without case, spaces and dashes.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Field field_of(std::string_view column) {
  static constexpr std::array<std::pair<std::string_view, Field>, 14> kColumns{
      {{"name", &PriceWords::name},
       {"node", &PriceWords::name},
       {"instancetype", &PriceWords::instance_type},
       {"card", &PriceWords::card},
       {"gpu", &PriceWords::card},
       {"hourly", &PriceWords::hourly},
       {"currency", &PriceWords::currency},
       {"from", &PriceWords::from},
       {"to", &PriceWords::to},
       {"until", &PriceWords::to},
       {"purchase", &PriceWords::purchase},
       {"source", &PriceWords::source},
       {"date", &PriceWords::date},
       {"hourlyprice", &PriceWords::hourly}}};
  const auto found = std::ranges::find(kColumns, plain(column), [](const auto& c) { return c.first; });
  return found == kColumns.end() ? nullptr : found->second;
}

std::size_t line_end(std::string_view text) {
  return std::min(text.find('\n'), text.size());
}

/// The columns in order; nothing where the header is no header of a price list.
std::vector<Field> columns_of(const std::vector<std::string>& header, PriceRows& rows) {
  std::vector<Field> out;
  for (const std::string& column : header) {
    const Field field = field_of(column);
    if (!field) {
      rows.refuse(1, fmt::format("unknown column `{}`", trimmed(column).substr(0, 60)),
                  "columns: name, instanceType or card; hourly; currency, from, to, purchase, source, date");
      return {};
    }
    if (std::ranges::find(out, field) != out.end()) {
      rows.refuse(1, fmt::format("the column `{}` stands twice", trimmed(column)));
      return {};
    }
    out.push_back(field);
  }
  const auto has = [&](Field f) { return std::ranges::find(out, f) != out.end(); };
  if (!has(&PriceWords::hourly))
    rows.refuse(1, "no column `hourly`", "the price of an hour stands in a column hourly");
  const bool key = has(&PriceWords::name) || has(&PriceWords::instance_type) || has(&PriceWords::card);
  if (!key) rows.refuse(1, "no column says what is priced", "a column name, instanceType or card");
  return key && has(&PriceWords::hourly) ? out : std::vector<Field>{};
}

}  // namespace

void read_price_table(std::string_view text, const std::string& file, PriceRows& rows) {
  const std::string_view first = text.substr(0, line_end(text));
  if (!first.contains(',') && first.contains(';'))
    return rows.refuse(1, "the columns are separated by semicolons",
                       "separate them by commas, and write decimals with a point");
  std::optional<std::vector<Field>> columns;
  const auto read = read_csv(text, file, [&](const CsvRow& row) -> Result<void> {
    if (!columns) columns = columns_of(row.header(), rows);
    PriceWords words{.line = row.line()};
    for (std::size_t i = 0; i < columns->size() && i < row.cells().size(); ++i)
      words.*(*columns)[i] = trimmed(row.cells()[i]);
    if (!columns->empty()) rows.add(words);
    return {};
  });
  if (!read) rows.refuse(read.error().place.line, read.error().message, read.error().hint);
}

}  // namespace etiage::formats
