#pragma once
// Where the money leaks.

#include <string>

#include "app/scan.h"
#include "render/waste.h"

namespace etiage::app {

/// What the evidence calls a cluster of the objects: where it knows one name only, that.
std::string cluster_in(const Evidence& evidence, const std::string& name);

/// Autoscalers of all clusters, these named as the evidence names them.
std::vector<explain::ClusterAutoscaler> autoscalers_of(const Loaded& inputs, const Evidence& evidence);

/// Whether `kinds` (separated by commas; empty: all) names kinds of findings.
Result<void> check_waste_kinds(const std::string& kinds);

/// Findings of these kinds; `options.ns` and `options.selector` keep those whose pods they name. `perWeek` is
/// the sum of those kept.
Result<render::WasteReport> waste(const ReadOptions& options, const std::string& kinds);

}  // namespace etiage::app
