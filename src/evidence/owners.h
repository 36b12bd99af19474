#pragma once
// From a pod to the workload that a person knows: up the chain of controllers.

#include <map>
#include <string>
#include <tuple>

#include "model/cluster.h"

namespace etiage::evidence {

struct Workload {
  std::string kind, name;
};

/// The owners of one cluster, by kind, namespace and name.
class Owners {
 public:
  explicit Owners(const Cluster& cluster);

  /// The topmost known controller above `owner`; a ReplicaSet that no object shows is taken for its
  /// Deployment, whose name is the ReplicaSet's without the template hash.
  Workload above(const std::string& ns, Workload owner) const;
  /// Of a pod: its LeaderWorkerSet by label, else its controllers, else the pod itself.
  Workload of(const ObjectMeta& pod) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, const ObjectMeta*> by_name_;
};

/// Pods of one multi-node replica (LeaderWorkerSet group, Ray cluster) share this; empty for pods that stand
/// alone.
std::string replica_group(const LabelMap& pod_labels);
/// Whether the pod leads its group, as far as labels tell; true for pods that stand alone.
bool leads_group(const LabelMap& pod_labels);

/// Whether labels or arguments put the pod into a decode pool, whose prompts another pool prefills.
bool declares_decode(const LabelMap& pod_labels);
bool declares_decode(const Pod& pod);

/// Whether such workloads train or explore: the models that their arguments name are not served.
bool trains(std::string_view workload_kind);

/// The model that a pod's arguments, environment or labels declare (RULES.md 22); empty where none do.
std::string declared_model(const Pod& pod);
std::string declared_model(const LabelMap& pod_labels);

}  // namespace etiage::evidence
