#pragma once
// One attempt to find a node for one pod: PreFilter, Filter, Score.

#include <optional>
#include <string>
#include <vector>

#include "engines/placement/kube/nominations.h"
#include "engines/placement/kube/pod_affinity.h"
#include "engines/placement/kube/pod_devices.h"
#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/refusal.h"
#include "engines/placement/kube/snapshot.h"
#include "engines/placement/kube/spread.h"

namespace etiage::placement {

/// What filters know of the pod and of the pods that run. A copy can be asked about another state of a node.
class FilterState {
 public:
  /// `devices`, `nominations`: null where there are no claims, or no pods that wait for a promised node.
  FilterState(Snapshot& snapshot, const Profile& profile, PodIndex pod, PodDevices* devices = nullptr,
              const Nominations* nominations = nullptr);

  /// Said of all nodes at once (PreFilter), where the pod contradicts itself.
  const std::optional<Refusal>& refused_everywhere() const { return refused_everywhere_; }
  /// PreFilter restricts the pod to some nodes, or refuses it as such.
  bool restricted() const { return only_names_ || refused_everywhere_; }
  /// PreFilter restricts the pod to other nodes.
  bool leaves_out(NodeIndex node) const;
  /// The first refusal; nothing where the node fits, with the pods that are nominated to it and without.
  /// `state` is the node as it is or would be.
  std::optional<Refusal> check(const NodeInfo& state) const;
  /// To be told when a pod is taken from or given back to a node in thought.
  void update(PodIndex pod, NodeIndex node, int sign);

 private:
  std::optional<Refusal> check_alone(const NodeInfo& state) const;
  std::optional<Refusal> ask(Plugin plugin, const NodeInfo& state) const;
  std::optional<Refusal> lacking_resources(const NodeInfo& state) const;
  bool is_ignored(std::string_view resource) const;

  const Snapshot* snapshot_;
  const Profile* profile_;
  PodIndex pod_;
  PodDevices* devices_;
  const Nominations* nominations_;
  std::optional<std::vector<std::string>> only_names_;
  std::optional<Refusal> refused_everywhere_;
  std::optional<SpreadFilter> spread_;
  std::optional<PodAffinityFilter> affinity_;
};

/// The scores of the feasible nodes, by plugin.
struct ScoreTable {
  struct Column {
    Plugin plugin;
    std::vector<std::int64_t> weighted;  ///< by position in the list of feasible nodes
  };
  std::vector<Column> columns;
  std::vector<std::int64_t> total;
};

ScoreTable score_nodes(Snapshot& snapshot, const Profile& profile, PodIndex pod, const PodDevices* devices,
                       const std::vector<NodeIndex>& feasible);

}  // namespace etiage::placement
