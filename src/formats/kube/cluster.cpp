#include "formats/kube/cluster.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>
#include <unordered_map>

#include "formats/kube/meta.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"

namespace etiage::formats {
namespace {

/// What owns pods, directly or through others; by group: Kubernetes, batch and training, serving.
constexpr auto kOwners = std::to_array<std::string_view>({"Deployment",
                                                          "ReplicaSet",
                                                          "StatefulSet",
                                                          "DaemonSet",
                                                          "Job",
                                                          "CronJob",
                                                          "ReplicationController",
                                                          "JobSet",
                                                          "PyTorchJob",
                                                          "MPIJob",
                                                          "TFJob",
                                                          "XGBoostJob",
                                                          "PaddleJob",
                                                          "JAXJob",
                                                          "TrainJob",
                                                          "RayCluster",
                                                          "RayJob",
                                                          "SparkApplication",
                                                          "Workflow",
                                                          "AppWrapper",
                                                          "Notebook",
                                                          "LeaderWorkerSet",
                                                          "RayService",
                                                          "InferenceService",
                                                          "LLMInferenceService",
                                                          "NIMService",
                                                          "DynamoGraphDeployment",
                                                          "DynamoComponentDeployment",
                                                          "PodCliqueSet",
                                                          "PodClique",
                                                          "PodCliqueScalingGroup",
                                                          "Rollout"});

std::string identity(const ObjectMeta& meta) {
  return meta.ns + '\0' + meta.name + '\0' + meta.uid;
}

/// Where each object of one kind lies in its table; `key_of` names an object's identity.
template <class T, class Key>
class Table {
 public:
  Table(std::vector<T>& rows, Key key_of) : rows_(rows), key_of_(key_of) {
    for (std::size_t i = 0; i < rows.size(); ++i) at_.emplace(key_of(rows[i]), i);
  }
  /// Whether it was there before; then the row takes its place.
  bool put(T row) {
    const auto [it, added] = at_.try_emplace(key_of_(row), rows_.size());
    if (added) {
      rows_.push_back(std::move(row));
    } else {
      rows_[it->second] = std::move(row);
    }
    return !added;
  }

 private:
  std::vector<T>& rows_;
  Key key_of_;
  std::unordered_map<std::string, std::size_t> at_;
};

}  // namespace

void add_objects(Cluster& cluster, const std::vector<Tree>& objects, const std::string& file,
                 Diagnostics& diagnostics) {
  Table nodes(cluster.nodes, [](const Node& n) { return identity(n.meta); });
  Table pods(cluster.pods, [](const Pod& p) { return identity(p.meta); });
  Table namespaces(cluster.namespaces, [](const ObjectMeta& m) { return identity(m); });
  Table owners(cluster.owners, [](const Owner& o) { return o.kind + '\0' + identity(o.meta); });
  std::size_t again = 0;
  for (const Tree& object : objects) {
    const std::string& kind = object["kind"].text();
    if (object["metadata"]["name"].text().empty()) {
      diagnostics.push_back({Severity::kWarning,
                             "nameless",
                             {file, object.line, 0, "metadata.name"},
                             fmt::format("a {} without a name", kind),
                             "it is left out"});
    } else if (kind == "Node") {
      again += nodes.put(read_node(object, file, diagnostics));
    } else if (kind == "Pod") {
      again += pods.put(read_pod(object, file, diagnostics));
    } else if (kind == "Namespace") {
      again += namespaces.put(read_meta(object, file, false));
    } else if (std::ranges::find(kOwners, kind) != kOwners.end()) {
      again += owners.put({kind, read_meta(object, file, true)});
    } else {
      cluster.other_kinds[kind] += 1;
    }
  }
  if (again > 0)
    diagnostics.push_back({Severity::kInfo,
                           "object-again",
                           {file, 0, 0, ""},
                           fmt::format("{} objects came before; what this file says of them is used", again),
                           ""});
}

}  // namespace etiage::formats
