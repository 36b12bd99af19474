#pragma once
// Trees to YAML that every reader (1.1 and 1.2, PyYAML, Kubernetes) takes for the same values.

#include <string>

#include "base/tree.h"

namespace etiage::render {

/// Block style, two blanks an indent, members in their order; ends in a line break. A string that some reader
/// would take for another type (`yes`, `1e3`, `0x10`, `12:30`, `2026-10-12`, `~`) is quoted; one of several
/// lines is a literal block.
std::string to_yaml(const Tree& tree);

}  // namespace etiage::render
