#pragma once
// Render: what a person or a spreadsheet reads. Every command prints through this header's Table;
// JSON is written with base/json_writer.h, and YAML is made of that (render/yaml.h).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/money.h"

namespace etiage::render {

enum class Tone { kPlain, kStrong, kDim, kGood, kWarning, kBad };

/// One field of a row: what people read, and what a program reads of it.
struct Cell {
  std::string shown;    ///< rounded, with thousands separators
  std::string exact;    ///< for CSV: the whole value; empty where there is none
  bool number = false;  ///< never broken, never taken for a formula
  Tone tone = Tone::kPlain;

  bool operator==(const Cell&) const = default;
};

/// Text from anywhere; control characters are made visible.
Cell text(std::string_view value, Tone tone = Tone::kPlain);
/// `61,824.12`: to the cent.
Cell money(Money amount);
/// A price of little things (per million tokens, per hour): three significant figures, at least two decimals.
Cell price(double value);
Cell price(HourlyPrice value);
/// `1,234,567`
Cell count(std::int64_t value);
/// Large counts in short: `12.3M`, `4.56G`; CSV has all digits.
Cell short_count(double value);
Cell number(double value, int decimals);
/// 0.462 as `46.2%`; CSV has the ratio.
Cell percent(double ratio);
/// Hours with one decimal.
Cell hours(Duration time);
/// A ratio as a bar of `width` columns in eighths; CSV has the ratio.
Cell bar(double ratio, int width = 10);
/// No value; `why` stands in its place (`n/a`, `unmeasured`), and CSV has an empty field.
Cell none(std::string_view why = "-");
Cell toned(Cell cell, Tone tone);
/// Text that is copied as it stands (a command line): never broken.
Cell verbatim(std::string_view value);

enum class Align { kLeft, kRight };
/// Where a column is seen. `kWide`: only with `-o wide`, csv and md; `kIfRoom`: the first to go at 80
/// columns; `kData`: only in csv (the currency, exact times).
enum class Show { kAlways, kIfRoom, kWide, kData };

struct Column {
  std::string name;        ///< the JSON field's name; the header in CSV
  std::string title = "";  ///< the header for people; empty: the name in capitals
  std::string unit = "";   ///< below the title: `EUR`, `h`, `GiB`
  Align align = Align::kLeft;
  Show show = Show::kAlways;
};

/// What stands above the column for people.
std::string heading_of(const Column& column);

struct Row {
  std::vector<Cell> cells;  ///< one a column; missing ones at the end are empty
  bool total = false;       ///< set off by a rule, bold; not in CSV
};

struct Table {
  std::string title = "";
  std::vector<Column> columns;
  std::vector<Row> rows = {};
  std::vector<std::string> notes = {};  ///< sentences below, wrapped (indented ones are not); not in CSV
};

/// What is printed on.
struct Paper {
  int width = 80;
  bool terminal = false;  ///< what passes `width` would be broken anyhow
  bool wide = false;      ///< columns of `kWide` too, none left out
  bool colour = false;
};

/// For people, in a fixed-width font. Where the paper is too narrow, sentences go over several lines and
/// columns are left out (and named in a note); nothing is cut. Names are broken only on a terminal:
/// elsewhere, where they are searched for, the line is longer. An empty table prints its title and notes.
std::string to_text(const Table& table, const Paper& paper = {});

/// RFC 4180 with `\n`: a header and one line a row, without totals, notes and roundings; what is absent is
/// empty. Texts that a spreadsheet would take for a formula get a leading apostrophe.
std::string to_csv(const Table& table);

/// GitHub's tables, as they paste into an issue; all columns but `kData`.
std::string to_markdown(const Table& table);

}  // namespace etiage::render
