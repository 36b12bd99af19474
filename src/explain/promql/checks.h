#pragma once
// What PromQL of people's rules and dashboards gets wrong about GPUs, tokens and money, with the right form.

#include <span>
#include <vector>

#include "model/autoscaler.h"
#include "model/evidence.h"

namespace etiage::explain {

/// One check a fault, its subjects the expressions that have it. Records of the rules count as metrics that
/// exist.
std::vector<Check> promql_checks(std::span<const PromqlUse> uses);

}  // namespace etiage::explain
