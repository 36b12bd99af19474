#pragma once
// Trees to JSON.

#include <string>

#include "base/tree.h"

namespace etiage::formats {

/// On one line, members in their order, scalars as they were written.
std::string json_text(const Tree& tree);

}  // namespace etiage::formats
