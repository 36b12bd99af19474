#pragma once
// The options of `etiage size`, for programs and for people.

#include <span>
#include <string>
#include <vector>

#include "render/table.h"
#include "sizing/options.h"

namespace etiage::render {

struct SizingPage {
  const sizing::Search& search;
  std::span<const sizing::Option> options;
  std::string currency;
  sizing::Threshold kubernetes;
  bool all = true;  ///< false: only the first options of each table, for a screen
};

/// The object of CONTRACT.md.
std::string sizing_json(const SizingPage& page);

/// What is in, cheapest first; what is out, with the reason.
std::vector<Table> sizing_tables(const SizingPage& page);

/// All options in one table, for a spreadsheet.
Table sizing_sheet(const SizingPage& page);

}  // namespace etiage::render
