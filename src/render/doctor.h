#pragma once
// The answer of `etiage doctor`: what the evidence cannot carry, its effect, and how to mend it.

#include <string>
#include <vector>

#include "model/evidence.h"
#include "render/table.h"

namespace etiage::render {

std::string doctor_json(Grade grade, const std::vector<Check>& checks);
std::vector<Table> doctor_tables(Grade grade, const std::vector<Check>& checks);

}  // namespace etiage::render
