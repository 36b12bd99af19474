#pragma once
// What kube-scheduler reads beside nodes and pods: its configuration, priority classes, disruption budgets,
// and what selects pods for the default spreading.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/meta.h"
#include "model/pod.h"

namespace etiage {

struct PriorityClass {
  ObjectMeta meta;
  std::int32_t value = 0;
  bool global_default = false;
  std::string preemption_policy;  ///< empty: PreemptLowerPriority

  bool operator==(const PriorityClass&) const = default;
};

struct PodDisruptionBudget {
  ObjectMeta meta;
  std::optional<LabelSelector> selector;
  std::int32_t disruptions_allowed = 0;       ///< status
  std::set<std::string> disrupted_pods = {};  ///< status: names of pods whose eviction is on its way

  bool operator==(const PodDisruptionBudget&) const = default;
};

struct Service {
  ObjectMeta meta;
  std::optional<LabelMap> selector;

  bool operator==(const Service&) const = default;
};

/// ReplicaSet, StatefulSet or ReplicationController, for what its selector says.
struct PodController {
  std::string kind;
  ObjectMeta meta;
  LabelSelector selector;

  bool operator==(const PodController&) const = default;
};

/// One resource of a scoring strategy.
struct ScoredResource {
  std::string name;
  std::int64_t weight = 1;

  bool operator==(const ScoredResource&) const = default;
};

struct ShapePoint {
  std::int64_t utilization = 0;  ///< percent
  std::int64_t score = 0;        ///< 0 to 10

  bool operator==(const ShapePoint&) const = default;
};

struct NodeResourcesFitArgs {
  enum class Strategy { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };
  Strategy strategy = Strategy::kLeastAllocated;
  std::vector<ScoredResource> resources = {{"cpu", 1}, {"memory", 1}};
  std::vector<ShapePoint> shape;
  std::vector<std::string> ignored_resources, ignored_resource_groups;

  bool operator==(const NodeResourcesFitArgs&) const = default;
};

struct PluginReference {
  std::string name;
  std::int32_t weight = 0;  ///< 0: not given

  bool operator==(const PluginReference&) const = default;
};

/// One extension point of a profile.
struct PluginSet {
  std::vector<PluginReference> enabled;
  std::vector<std::string> disabled;  ///< `*`: all

  bool operator==(const PluginSet&) const = default;
};

struct SchedulerProfile {
  std::string scheduler_name = "default-scheduler";
  std::map<std::string, PluginSet> plugins;  ///< by extension point: `multiPoint`, `filter`, `score`, ...
  NodeResourcesFitArgs fit;
  std::vector<ScoredResource> balanced_resources = {{"cpu", 1}, {"memory", 1}};
  bool balance_by_improvement = true;  ///< until 1.35 false: by how even the node is with the pod
  /// PodTopologySpread: absent is the system's own defaults, else the list for pods without constraints.
  std::optional<std::vector<TopologySpreadConstraint>> default_spread;
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;
  std::optional<NodeSelector> added_node_affinity;
  std::vector<WeightedNodeTerm> added_node_preferences;
  std::optional<std::int32_t> percentage_of_nodes_to_score;  ///< absent: that of the configuration

  bool operator==(const SchedulerProfile&) const = default;
};

/// kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration.
struct SchedulerConfiguration {
  std::vector<SchedulerProfile> profiles = {SchedulerProfile{}};
  std::int32_t percentage_of_nodes_to_score = 0;  ///< 0: adaptive

  bool operator==(const SchedulerConfiguration&) const = default;
};

}  // namespace etiage
