#pragma once
// The in-tree plugins of kube-scheduler 1.37 and where each of them acts.

#include <cstdint>
#include <optional>
#include <string_view>

namespace etiage::placement {

/// In the order in which the default profile runs them.
enum class Plugin : std::uint8_t {
  kSchedulingGates,
  kPrioritySort,
  kNodeName,
  kNodeUnschedulable,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kVolumeRestrictions,
  kNodeVolumeLimits,
  kVolumeBinding,
  kVolumeZone,
  kPodTopologySpread,
  kInterPodAffinity,
  kDynamicResources,
  kDefaultPreemption,
  kNodeResourcesBalancedAllocation,
  kImageLocality,
  kDefaultBinder,
  kNodeDeclaredFeatures,
};
inline constexpr int kPluginCount = 20;

std::string_view to_string(Plugin plugin);
std::optional<Plugin> plugin_named(std::string_view name);

/// Extension points that decide a placement.
enum class Point : std::uint8_t { kFilter, kPostFilter, kScore };
bool acts_at(Plugin plugin, Point point);
/// The weight of its score in the default profile.
int default_weight(Plugin plugin);

}  // namespace etiage::placement
