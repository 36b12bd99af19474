#pragma once
// A profile of kube-scheduler with its plugins in the order in which they run.

#include <utility>
#include <vector>

#include "base/result.h"
#include "engines/placement/kube/plugins.h"
#include "model/scheduling.h"

namespace etiage::placement {

struct Profile {
  SchedulerProfile arguments;
  std::vector<Plugin> filters;
  std::vector<std::pair<Plugin, std::int64_t>> scores;  ///< with weights
  bool preempts = true;

  bool filters_with(Plugin plugin) const;
  bool scores_with(Plugin plugin) const;
  bool operator==(const Profile&) const = default;
};

/// Merges the profile's plugin sets with the default ones as kube-scheduler does
/// (pkg/scheduler/apis/config/v1/default_plugins.go, framework/runtime expandMultiPointPlugins). Fails on
/// plugins that are not in-tree.
Result<Profile> resolve_profile(const SchedulerProfile& profile);

}  // namespace etiage::placement
