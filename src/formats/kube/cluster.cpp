#include "formats/kube/cluster.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "formats/kube/autoscaler.h"
#include "formats/kube/dra.h"
#include "formats/kube/meta.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"
#include "formats/kube/scraping.h"
#include "formats/promql_uses.h"

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

void add_rules(Cluster& into, const Tree& object, const std::string& file) {
  const ObjectMeta meta = read_meta(object, file, true);
  auto rules =
      read_rule_groups(object["spec"]["groups"], "PrometheusRule " + meta.ns + "/" + meta.name, file);
  into.promql.insert(into.promql.end(), std::make_move_iterator(rules.begin()),
                     std::make_move_iterator(rules.end()));
}

}  // namespace

bool owns_pods(std::string_view kind) {
  return std::ranges::find(kOwners, kind) != kOwners.end();
}

void add_objects(Cluster& cluster, const std::vector<Tree>& objects, const std::string& file,
                 Diagnostics& diagnostics) {
  Cluster read;
  for (const Tree& object : objects) {
    const std::string& kind = object["kind"].text();
    if (auto exporter = read_exporter(object, file)) read.scraping.exporters.push_back(std::move(*exporter));
    if (object["metadata"]["name"].text().empty()) {
      diagnostics.push_back({Severity::kWarning,
                             "nameless",
                             {file, object.line, 0, "metadata.name"},
                             fmt::format("a {} without a name", kind),
                             "it is left out"});
    } else if (kind == "Node") {
      read.nodes.push_back(read_node(object, file, diagnostics));
    } else if (kind == "Pod") {
      read.pods.push_back(read_pod(object, file, diagnostics));
    } else if (kind == "Namespace") {
      read.namespaces.push_back(read_meta(object, file, false));
    } else if (owns_pods(kind)) {
      read.owners.push_back({kind, read_meta(object, file, true)});
    } else if (auto autoscaler = read_autoscaler(object, file)) {
      read.autoscalers.push_back(std::move(*autoscaler));
    } else if (kind == "ConfigMap") {
      auto uses = read_promql_config_map(object, file);
      auto counters = read_counter_list(object, file);
      if (uses.empty() && !counters) read.other_kinds[kind] += 1;
      if (counters) read.scraping.counter_lists.push_back(std::move(*counters));
      std::ranges::move(uses, std::back_inserter(read.promql));
    } else if (kind == "PrometheusRule") {
      add_rules(read, object, file);
    } else if (!read_dra_object(object, file, read.dra, diagnostics) &&
               !read_scraping_object(object, file, read.scraping)) {
      read.other_kinds[kind] += 1;
    }
  }
  const std::size_t again = merge(cluster, std::move(read));
  if (again > 0)
    diagnostics.push_back({Severity::kInfo,
                           "object-again",
                           {file, 0, 0, ""},
                           fmt::format("{} objects came before; what this file says of them is used", again),
                           ""});
}

}  // namespace etiage::formats
