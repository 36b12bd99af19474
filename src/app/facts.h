#pragma once
// The catalogue in force: ours, with the files of `--catalog` over it.

#include <string>
#include <vector>

#include "catalog/facts.h"

namespace etiage::app {

/// `files` in their order, later rows over earlier ones.
Result<catalog::Facts> facts_of(const std::vector<std::string>& files);

}  // namespace etiage::app
