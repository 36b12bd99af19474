#pragma once
// The environment of device selectors, release by release.

#include <memory>

#include "engines/cel/cost_estimate.h"
#include "engines/cel/selector.h"

namespace etiage::cel {

struct SelectorEnvironment {
  Names names;
  std::shared_ptr<const Functions> functions;
  Syntax syntax;
  CostRules costs;
  bool takes_wrappers = false;  ///< a selector may be a BoolValue
  bool dyn_results = false;     ///< a selector may yield `dyn`; otherwise bool or `any` only
  bool any_results = false;
  bool old_costs = false;
  bool list_attributes = false;
};

/// Made once for each environment, then shared.
const SelectorEnvironment& selector_environment(const Environment& environment);

}  // namespace etiage::cel
