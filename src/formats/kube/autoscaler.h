#pragma once
// HorizontalPodAutoscaler (v1, v2, v2beta2), ScaledObject and PrometheusRule.

#include <string>
#include <vector>

#include "base/tree.h"
#include "model/autoscaler.h"

namespace etiage::formats {

/// Nothing: another kind. What is not written gets the API's default; a metric that cannot be read is left
/// out.
std::optional<Autoscaler> read_autoscaler(const Tree& object, const std::string& file);

/// The expressions of `groups: [{rules: [{expr}]}]`, as a PrometheusRule's spec and a rule file have it.
std::vector<PromqlUse> read_rule_groups(const Tree& groups, const std::string& owner,
                                        const std::string& file);

}  // namespace etiage::formats
