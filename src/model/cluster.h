#pragma once
// What a dump of Kubernetes objects shows of one cluster.

#include <map>
#include <string>
#include <vector>

#include "model/autoscaler.h"
#include "model/dra.h"
#include "model/node.h"
#include "model/pod.h"
#include "model/scraping.h"

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
  std::vector<Autoscaler> autoscalers;
  std::vector<PromqlUse> promql;                   ///< of PrometheusRules
  DraObjects dra;                                  ///< devices, and who has claimed them
  Scraping scraping;                               ///< how metrics come to Prometheus
  std::map<std::string, std::size_t> other_kinds;  ///< kinds that nobody here reads, and how many of each

  bool operator==(const Cluster&) const = default;
};

/// Adds the objects of `from`. One that is there already (the same kind, namespace, name and uid) is
/// replaced. Returns how many were.
std::size_t merge(Cluster& into, Cluster from);

}  // namespace etiage
