#pragma once
// Where people keep PromQL: Grafana's dashboards, Prometheus's rule files, ConfigMaps that hold either.

#include <string>
#include <vector>

#include "base/tree.h"
#include "model/autoscaler.h"

namespace etiage::formats {

/// Every expression of a dashboard (as exported, or as the API wraps it) or of a rule file; nothing where the
/// document is neither. A name is the nearest title.
std::vector<PromqlUse> read_promql_uses(const Tree& document, const std::string& file);

/// The same of the texts in a ConfigMap's `data`.
std::vector<PromqlUse> read_promql_config_map(const Tree& object, const std::string& file);

}  // namespace etiage::formats
