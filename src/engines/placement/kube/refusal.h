#pragma once
// Why a node is refused.

#include <optional>
#include <string>
#include <vector>

#include "engines/placement/kube/plugins.h"

namespace etiage::placement {

/// The first plugin that refused, its reasons in order.
struct Refusal {
  std::optional<Plugin> plugin;
  std::vector<std::string> reasons;
  bool unresolvable = false;  ///< removing pods could not help: preemption does not look at the node

  bool operator==(const Refusal&) const = default;
};

}  // namespace etiage::placement
