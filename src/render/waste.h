#pragma once
// The answer of `etiage waste`: findings, dearest first.

#include <string>
#include <vector>

#include "explain/waste/waste.h"
#include "render/table.h"

namespace etiage::render {

struct WasteReport {
  explain::Waste waste;
  Window window;
  std::string currency;
};

std::string waste_json(const WasteReport& report);
std::vector<Table> waste_tables(const WasteReport& report);

}  // namespace etiage::render
