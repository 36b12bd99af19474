#pragma once
// What to run next: the end of a page.

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "render/table.h"

namespace etiage::render {

/// A command line that can be pasted, and what it shows.
struct NextStep {
  std::string reason, command;
};

/// Empty where there are no steps.
std::vector<Table> next_table(const std::vector<NextStep>& steps);
void write_next(JsonWriter& json, const std::vector<NextStep>& steps);

}  // namespace etiage::render
