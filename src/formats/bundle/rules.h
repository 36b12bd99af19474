#pragma once
// Queries of rule files and dashboards with other names.

#include <span>
#include <string>

#include "formats/bundle/names.h"
#include "model/autoscaler.h"

namespace etiage::formats::bundle {

/// As a rule file in JSON: panels of dashboards become rules too.
std::string disguised_rules(std::span<const PromqlUse> uses, const Rename& rename);

}  // namespace etiage::formats::bundle
