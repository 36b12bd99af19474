#pragma once
// The answer of `etiage doctor`: what the evidence cannot carry, its effect, and how to mend it.

#include <optional>
#include <string>
#include <vector>

#include "model/evidence.h"
#include "render/table.h"

namespace etiage::render {

/// Without a grade only queries were judged.
std::string doctor_json(std::optional<Grade> grade, const std::vector<Check>& checks);
std::vector<Table> doctor_tables(std::optional<Grade> grade, const std::vector<Check>& checks);

}  // namespace etiage::render
