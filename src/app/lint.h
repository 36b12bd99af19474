#pragma once
// Remarks on manifests, for people and for programs.

#include <string>
#include <vector>

#include "app/dra_objects.h"
#include "render/table.h"

namespace etiage::app {

/// The remarks of every rule set, after those on damage found while reading.
Diagnostics lint_files(const std::vector<std::string>& paths, const std::string& kubernetes_version,
                       const std::string& feature_gates, Diagnostics& fatal);

std::string to_json(const Diagnostics& diagnostics);
render::Table to_table(const Diagnostics& diagnostics);

}  // namespace etiage::app
