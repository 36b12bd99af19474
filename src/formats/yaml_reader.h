#pragma once
// YAML streams to trees, as Kubernetes reads them (YAML 1.1, see yaml_scalar.h). yaml-cpp stays behind this
// header.

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"

namespace etiage::formats {

/// Documents are split at `---` lines first, so that a fault costs only the document it stands in. Aliases
/// are copied, up to 64 MiB in all; `<<` merges; a text indented as a whole (a quotation) is read without its
/// margin, and then without byte ranges. Empty documents are left out. Codes: `yaml-syntax`, `yaml-alias`,
/// `yaml-encoding`, `too-deep`, `duplicate-key`.
std::vector<Tree> read_yaml(std::string_view text, const std::string& file, Diagnostics& diagnostics);

}  // namespace etiage::formats
