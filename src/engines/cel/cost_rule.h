#pragma once
// How the run-time cost of each function is counted.

#include <string>

#include "engines/cel/program.h"

namespace etiage::cel {

/// By the one overload that the arguments fit (empty: several), else by function.
CostRule cost_rule(const std::string& function, const std::string& overload);

}  // namespace etiage::cel
