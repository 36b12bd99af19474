#include "catalog/facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/csv.h"
#include "catalog/cells.h"
#include "catalog/mig_geometry.h"
#include "catalog/tables.h"

namespace etiage::catalog {
namespace {

using Cells = std::vector<std::string>;

/// A table as text, and which columns name a row.
struct Sheet {
  std::vector<std::string_view> keys;
  Cells header;
  std::vector<Cells> rows;

  std::size_t column(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
  }
  bool is_numeric(std::size_t column) const {
    return std::ranges::all_of(rows, [&](const Cells& r) {
      return r[column].find_first_not_of("0123456789.") == std::string::npos;
    });
  }
  Cells* find(const Cells& key) {
    const auto found = std::ranges::find_if(rows, [&](const Cells& r) {
      for (std::size_t i = 0; i < keys.size(); ++i)
        if (r[column(keys[i])] != key[i]) return false;
      return true;
    });
    return found == rows.end() ? nullptr : &*found;
  }
};

Sheet sheet_of(std::string_view csv, std::vector<std::string_view> keys) {
  Sheet s{.keys = std::move(keys), .header = {}, .rows = {}};
  (void)read_csv(csv, "", [&](const CsvRow& row) -> Result<void> {
    s.header = row.header();
    s.rows.push_back(row.cells());
    s.rows.back().resize(s.header.size());
    return {};
  });
  return s;
}

void append_row(std::string& out, const Cells& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    append_csv_cell(out, cells[i]);
  }
  out += '\n';
}

std::string csv_of(const Sheet& s) {
  std::string out;
  append_row(out, s.header);
  for (const auto& row : s.rows) append_row(out, row);
  return out;
}

/// Why `text` cannot stand among numbers; empty where it can. Counts are whole: those of models, and two of
/// cards and slices.
std::string_view no_number(const Sheet& s, std::string_view name, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return "not a number";
  if (value < 0) return "negative";
  const bool count = s.keys.front() == "model" || name == "sms" || name == "link_domain";
  const bool large = name == "other_parameters" || name == "max_position";
  if (count && text.find_first_not_of("0123456789") != std::string::npos) return "not a whole number";
  return count && value > (large ? 1e12 : 1e8) ? "beyond what makes sense" : "";
}

/// The row that `given` changes or makes, as it is before; the last part of the key is what `like` replaces.
Result<Cells*> row_for(Sheet& s, const Tree& given, const Place& place) {
  Cells key;
  for (const auto name : s.keys) {
    key.push_back(given[name].text());
    if (key.back().empty()) return failure(fmt::format("a row without its {}", name), place);
  }
  if (auto* const there = s.find(key)) return there;
  Cells row(s.header.size());
  if (given.has("like")) {
    auto like = key;
    like.back() = given["like"].text();
    auto* other = s.find(like);
    if (other == nullptr) {  // a new card's slices may be made after another card's
      for (auto& r : s.rows)
        if (r[s.column(s.keys.back())] == like.back()) other = &r;
    }
    if (other == nullptr)
      return failure(fmt::format("like: \"{}\" names no row", given["like"].text()), place,
                     "see `etiage catalog` for those that are there");
    row = *other;
    if (const auto aliases = s.column("aliases"); aliases < row.size()) row[aliases].clear();
  }
  for (std::size_t i = 0; i < key.size(); ++i) row[s.column(s.keys[i])] = key[i];
  if (const auto name = s.column("name"); name < row.size()) row[name] = key.front();
  s.rows.push_back(std::move(row));
  return &s.rows.back();
}

Result<void> change(Sheet& s, const Tree& given, const std::string& file) {
  const Place place{file, given.line};
  auto row = row_for(s, given, place);
  if (!row) return std::unexpected(row.error());
  if (const auto verified = s.column("verified"); verified < s.header.size()) (**row)[verified] = "1";
  if (const auto source = s.column("source"); source < s.header.size()) (**row)[source] = file;
  for (const auto& [name, value] : given.members()) {
    if (name == "like") continue;
    const auto column = s.column(name);
    if (column == s.header.size())
      return failure(fmt::format("no column \"{}\"", name), {file, value.line},
                     "columns are those of `etiage catalog -o csv`");
    const auto text = value.as_bool() ? std::string(*value.as_bool() ? "1" : "0") : value.text();
    if (const auto why = text.empty() || !s.is_numeric(column) ? "" : no_number(s, name, text); !why.empty())
      return failure(fmt::format("{} is \"{}\", {}", name, text, why), {file, value.line});
    (**row)[column] = text;
  }
  return {};
}

Result<std::string> changed(std::string_view csv, std::vector<std::string_view> keys, const Tree& rows,
                            const std::string& file) {
  if (rows.is_null()) return std::string(csv);
  if (!rows.is_sequence()) return failure("a table is a list of rows", {file, rows.line});
  auto sheet = sheet_of(csv, std::move(keys));
  for (const auto& row : rows.items())
    if (auto ok = change(sheet, row, file); !ok) return std::unexpected(ok.error());
  return csv_of(sheet);
}

/// Lines are those of the merged table, which the user has never seen.
std::unexpected<Error> without_line(Error error) {
  error.place.line = 0;
  return std::unexpected(std::move(error));
}

Result<Facts> read(Tables tables, const std::string& file) {
  auto cards = read_cards(tables.cards, file);
  if (!cards) return without_line(cards.error());
  auto models = read_models(tables.models, file);
  if (!models) return without_line(models.error());
  auto slices = read_mig_slices(tables.mig_slices, file);
  if (!slices) return without_line(slices.error());
  return Facts{std::move(*cards), std::move(*models), std::move(*slices), std::move(tables)};
}

}  // namespace

const Facts& builtin_facts() {
  static const Facts kFacts{
      cards(),
      models(),
      mig_slices(),
      {std::string(cards_table()), std::string(models_table()), std::string(mig_slices_table())}};
  return kFacts;
}

Result<Facts> facts_with(const Facts& facts, const Tree& overrides, const std::string& file) {
  if (!overrides.is_map()) return failure("no catalogue: its top is no map", {file}, "as in cards: [...]");
  for (const auto& [name, value] : overrides.members())
    if (name != "cards" && name != "models" && name != "mig")
      return failure(fmt::format("no table \"{}\"", name), {file, value.line},
                     name == "prices" ? "prices are given by --prices" : "cards, models and mig are");
  auto cards = changed(facts.tables.cards, {"card"}, overrides["cards"], file);
  if (!cards) return std::unexpected(cards.error());
  auto models = changed(facts.tables.models, {"model"}, overrides["models"], file);
  if (!models) return std::unexpected(models.error());
  auto slices = changed(facts.tables.mig_slices, {"card", "profile"}, overrides["mig"], file);
  if (!slices) return std::unexpected(slices.error());
  auto read_back = read({std::move(*cards), std::move(*models), std::move(*slices)}, file);
  if (!read_back) return read_back;
  for (const auto& row : overrides["mig"].items())
    if (const auto geometry = mig_geometry(row["card"].text());
        !geometry || geometry->find(row["profile"].text()) == nullptr)
      return failure(fmt::format("where a \"{}\" lies on a \"{}\" is not known, so it is never used",
                                 row["profile"].text(), row["card"].text()),
                     {file, row.line}, "see `etiage catalog mig` for profiles that are");
  return read_back;
}

}  // namespace etiage::catalog
