#include "engines/placement/kube/plugins.h"

#include <array>

namespace etiage::placement {
namespace {

struct Row {
  std::string_view name;
  bool filter = false, post_filter = false, score = false;
  int weight = 0;
};

constexpr std::array<Row, kPluginCount> kRows{{
    {"SchedulingGates"},
    {"PrioritySort"},
    {"NodeName", true},
    {"NodeUnschedulable", true},
    {"TaintToleration", true, false, true, 3},
    {"NodeAffinity", true, false, true, 2},
    {"NodePorts", true},
    {"NodeResourcesFit", true, false, true, 1},
    {"VolumeRestrictions", true},
    {"NodeVolumeLimits", true},
    {"VolumeBinding", true},
    {"VolumeZone", true},
    {"PodTopologySpread", true, false, true, 2},
    {"InterPodAffinity", true, false, true, 2},
    {"DynamicResources", true, true, true, 2},
    {"DefaultPreemption", false, true},
    {"NodeResourcesBalancedAllocation", false, false, true, 1},
    {"ImageLocality", false, false, true, 1},
    {"DefaultBinder"},
    {"NodeDeclaredFeatures", true},
}};

const Row& row(Plugin plugin) {
  return kRows[static_cast<std::size_t>(plugin)];
}

}  // namespace

std::string_view to_string(Plugin plugin) {
  return row(plugin).name;
}

std::optional<Plugin> plugin_named(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<Plugin>(i);
  return {};
}

bool acts_at(Plugin plugin, Point point) {
  switch (point) {
    case Point::kFilter:
      return row(plugin).filter;
    case Point::kPostFilter:
      return row(plugin).post_filter;
    case Point::kScore:
      return row(plugin).score;
  }
  return false;
}

int default_weight(Plugin plugin) {
  return row(plugin).weight;
}

}  // namespace etiage::placement
