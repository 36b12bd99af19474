#pragma once
// What a dump of Kubernetes objects shows of one cluster.

#include <map>
#include <string>
#include <vector>

#include "model/node.h"
#include "model/pod.h"

namespace etiage {

/// Anything that owns pods, directly or through others: Deployment, ReplicaSet, StatefulSet, DaemonSet, Job,
/// CronJob, LeaderWorkerSet, RayCluster, ...
struct Owner {
  std::string kind;
  ObjectMeta meta;

  bool operator==(const Owner&) const = default;
};

struct Cluster {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  std::vector<ObjectMeta> namespaces;
  std::vector<Owner> owners;
  std::map<std::string, std::size_t> other_kinds;  ///< kinds that nobody here reads, and how many of each

  bool operator==(const Cluster&) const = default;
};

}  // namespace etiage
