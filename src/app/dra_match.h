#pragma once
// `etiage dra match`: a selector on every device of the ResourceSlices.

#include <string>
#include <vector>

#include "base/result.h"
#include "engines/cel/selector.h"
#include "render/table.h"

namespace etiage::app {

struct DeviceVerdict {
  std::string driver, pool, device;
  cel::Verdict verdict;
};

struct MatchAnswer {
  cel::Selector selector;
  std::vector<DeviceVerdict> devices;  ///< in the order of the input
  std::vector<cel::ClauseCount> clauses;
};

MatchAnswer match_devices(const std::string& expression, const cel::Environment& environment,
                          const std::vector<ResourceSlice>& slices);

/// The content of a file that holds an expression and nothing else.
Result<std::string> read_expression(const std::string& path);

/// `{type, compileError, maxCost, tooCostly, clauses, devices}`.
std::string to_json(const MatchAnswer& answer);
std::vector<render::Table> to_tables(const MatchAnswer& answer);

}  // namespace etiage::app
