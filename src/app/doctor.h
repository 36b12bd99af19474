#pragma once
// How far the evidence carries, and what people's own queries and autoscalers get wrong.

#include <string>
#include <vector>

#include "app/scan.h"

namespace etiage::app {

struct DoctorReport {
  bool judged = false;  ///< there was evidence; else only queries were given, and there is no grade
  Grade grade = Grade::kMeasured;
  std::vector<Check> checks;  ///< worst first
};

/// `promql`: an expression to judge, or empty; with one, `options.paths` may be empty.
Result<DoctorReport> doctor(const ReadOptions& options, const std::string& promql);

}  // namespace etiage::app
