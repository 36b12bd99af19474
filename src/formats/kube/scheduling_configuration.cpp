// KubeSchedulerConfiguration: kubescheduler.config.k8s.io/v1 (pkg/scheduler/apis/config/v1/defaults.go for
// defaults).

#include <set>

#include "formats/kube/affinity.h"
#include "formats/kube/meta.h"
#include "formats/kube/scheduling.h"

namespace etiage::formats {
namespace {

/// Collects the first fault, so that reading can go straight on.
struct Reading {
  const std::string& file;
  Result<void> state = {};

  void refuse(const Tree& at, std::string message, std::string hint = {}) {
    if (state) state = failure(std::move(message), {file, at.line}, std::move(hint));
  }
  std::int64_t number(const Tree& tree, std::string_view what, std::int64_t fallback, std::int64_t least,
                      std::int64_t most) {
    if (tree.is_null()) return fallback;
    const auto value = tree.as_int();
    if (!value || *value < least || *value > most)
      refuse(tree, std::string(what) + ": '" + tree.text() + "' is not a whole number from " +
                       std::to_string(least) + " to " + std::to_string(most));
    return value.value_or(fallback);
  }
};

/// A weight of 0 or none is 1.
std::vector<ScoredResource> read_resources(const Tree& tree, Reading& reading) {
  std::vector<ScoredResource> out;
  for (const Tree& item : tree.items()) {
    const auto weight = reading.number(item["weight"], "weight of a resource", 1, 0, 100);
    out.push_back({item["name"].text(), weight == 0 ? 1 : weight});
  }
  return out;
}

void read_shape(const Tree& tree, NodeResourcesFitArgs& fit, Reading& reading) {
  std::int64_t last = -1;
  for (const Tree& item : tree.items()) {
    fit.shape.push_back({reading.number(item["utilization"], "utilization", 0, 0, 100),
                         reading.number(item["score"], "score", 0, 0, 10)});
    if (fit.shape.back().utilization <= last)
      reading.refuse(item, "requestedToCapacityRatio.shape: utilization must rise from point to point");
    last = fit.shape.back().utilization;
  }
  if (fit.shape.empty()) reading.refuse(tree, "requestedToCapacityRatio.shape: at least one point is needed");
}

void read_fit(const Tree& args, NodeResourcesFitArgs& fit, Reading& reading) {
  for (const Tree& item : args["ignoredResources"].items()) fit.ignored_resources.push_back(item.text());
  for (const Tree& item : args["ignoredResourceGroups"].items())
    fit.ignored_resource_groups.push_back(item.text());
  const Tree& strategy = args["scoringStrategy"];
  if (strategy.is_null()) return;
  const std::string& type = strategy["type"].text();
  using enum NodeResourcesFitArgs::Strategy;
  if (type == "MostAllocated") {
    fit.strategy = kMostAllocated;
  } else if (type == "RequestedToCapacityRatio") {
    fit.strategy = kRequestedToCapacityRatio;
    read_shape(strategy["requestedToCapacityRatio"]["shape"], fit, reading);
  } else if (type != "LeastAllocated") {
    reading.refuse(strategy, "scoringStrategy.type: '" + type + "' is not known",
                   "LeastAllocated, MostAllocated or RequestedToCapacityRatio");
  }
  if (auto resources = read_resources(strategy["resources"], reading); !resources.empty())
    fit.resources = std::move(resources);
}

void read_spread(const Tree& args, SchedulerProfile& profile, Reading& reading) {
  const bool list = args["defaultingType"].text() == "List";
  if (!list && !args["defaultConstraints"].items().empty())
    reading.refuse(args, "PodTopologySpread: defaultConstraints with .defaultingType System",
                   "set defaultingType: List");
  if (list) profile.default_spread = read_topology_spread(args["defaultConstraints"]);
}

void read_node_affinity(const Tree& args, SchedulerProfile& profile) {
  const Tree& added = args["addedAffinity"];
  const Tree& required = added["requiredDuringSchedulingIgnoredDuringExecution"];
  if (!required.is_null()) profile.added_node_affinity = read_node_selector(required);
  profile.added_node_preferences =
      read_node_preferences(added["preferredDuringSchedulingIgnoredDuringExecution"]);
}

void read_plugin_config(const Tree& config, SchedulerProfile& profile, Reading& reading) {
  const std::string& name = config["name"].text();
  const Tree& args = config["args"];
  if (name == "NodeResourcesFit") {
    read_fit(args, profile.fit, reading);
  } else if (name == "NodeResourcesBalancedAllocation") {
    if (auto resources = read_resources(args["resources"], reading); !resources.empty())
      profile.balanced_resources = std::move(resources);
  } else if (name == "PodTopologySpread") {
    read_spread(args, profile, reading);
  } else if (name == "InterPodAffinity") {
    profile.hard_pod_affinity_weight = static_cast<std::int32_t>(
        reading.number(args["hardPodAffinityWeight"], "hardPodAffinityWeight", 1, 0, 100));
    profile.ignore_preferred_terms_of_existing_pods =
        args["ignorePreferredTermsOfExistingPods"].as_bool().value_or(false);
  } else if (name == "NodeAffinity") {
    read_node_affinity(args, profile);
  }
}

PluginSet read_plugin_set(const Tree& tree, Reading& reading) {
  PluginSet out;
  for (const Tree& item : tree["enabled"].items())
    out.enabled.push_back({item["name"].text(), static_cast<std::int32_t>(reading.number(
                                                    item["weight"], "weight of a plugin", 0, 0, INT32_MAX))});
  for (const Tree& item : tree["disabled"].items()) out.disabled.push_back(item["name"].text());
  return out;
}

SchedulerProfile read_profile(const Tree& tree, bool only, Reading& reading) {
  SchedulerProfile out;
  out.scheduler_name = tree["schedulerName"].text();
  if (out.scheduler_name.empty() && only) out.scheduler_name = "default-scheduler";
  if (out.scheduler_name.empty())
    reading.refuse(tree, "profiles: a schedulerName is required where there are several");
  for (const auto& [point, set] : tree["plugins"].members())
    out.plugins[point] = read_plugin_set(set, reading);
  for (const Tree& config : tree["pluginConfig"].items()) read_plugin_config(config, out, reading);
  if (tree.has("percentageOfNodesToScore"))
    out.percentage_of_nodes_to_score = static_cast<std::int32_t>(
        reading.number(tree["percentageOfNodesToScore"], "percentageOfNodesToScore of a profile", 0, 0, 100));
  return out;
}

}  // namespace

Result<SchedulerConfiguration> read_scheduler_configuration(const Tree& document, const std::string& file) {
  if (document["kind"].text() != "KubeSchedulerConfiguration")
    return failure("not a KubeSchedulerConfiguration but '" + document["kind"].text() + "'",
                   {file, document.line});
  Reading reading{file};
  SchedulerConfiguration out;
  out.percentage_of_nodes_to_score = static_cast<std::int32_t>(
      reading.number(document["percentageOfNodesToScore"], "percentageOfNodesToScore", 0, 0, 100));
  const auto& profiles = document["profiles"].items();
  if (!profiles.empty()) out.profiles.clear();
  std::set<std::string> names;
  for (const Tree& tree : profiles) {
    out.profiles.push_back(read_profile(tree, profiles.size() == 1, reading));
    if (!names.insert(out.profiles.back().scheduler_name).second)
      reading.refuse(tree, "profiles: schedulerName " + out.profiles.back().scheduler_name + " twice");
  }
  if (!reading.state) return std::unexpected(reading.state.error());
  return out;
}

}  // namespace etiage::formats
