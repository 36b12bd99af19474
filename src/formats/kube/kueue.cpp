#include "formats/kube/kueue.h"

#include <fmt/format.h>

#include "formats/kube/kueue_fields.h"
#include "formats/kube/meta.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"

namespace etiage::formats {
namespace {

using namespace kueue;

Cohort read_cohort(const Tree& object, ObjectMeta meta, const FieldReading& reading) {
  const Tree& spec = object["spec"];
  return {.meta = std::move(meta),
          .parent = spec.has("parentName") ? spec["parentName"].text() : spec["parent"].text(),
          .resource_groups = read_resource_groups(spec["resourceGroups"], reading),
          .fair_weight = read_quantity(spec["fairSharing"]["weight"], "spec.fairSharing.weight", reading)};
}

LocalQueue read_local_queue(const Tree& object, ObjectMeta meta, const FieldReading& reading) {
  const Tree& spec = object["spec"];
  LocalQueue out{
      .meta = std::move(meta),
      .cluster_queue = spec["clusterQueue"].text(),
      .stop = read_stop_policy(spec["stopPolicy"], reading),
      .fair_weight = read_quantity(spec["fairSharing"]["weight"], "spec.fairSharing.weight", reading)};
  const Tree& consumed = object["status"]["fairSharing"]["admissionFairSharingStatus"]["consumedResources"];
  if (consumed.is_map())
    out.consumed = read_resource_list(consumed, "status.fairSharing.admissionFairSharingStatus", reading);
  return out;
}

ResourceFlavor read_flavor(const Tree& object, ObjectMeta meta) {
  const Tree& spec = object["spec"];
  return {.meta = std::move(meta),
          .node_labels = read_label_map(spec["nodeLabels"]),
          .node_taints = read_taints(spec["nodeTaints"]),
          .tolerations = read_tolerations(spec["tolerations"]),
          .topology = spec["topologyName"].text()};
}

Topology read_topology(const Tree& object, ObjectMeta meta) {
  Topology out{.meta = std::move(meta)};
  for (const Tree& level : object["spec"]["levels"].items()) out.levels.push_back(level["nodeLabel"].text());
  return out;
}

bool is_namespaced(const std::string& kind) {
  return kind == "Workload" || kind == "LocalQueue";
}

}  // namespace

bool read_queue_object(const Tree& object, const std::string& file, QueueObjects& into,
                       Diagnostics& diagnostics) {
  const std::string &kind = object["kind"].text(), &version = object["apiVersion"].text();
  if (kind == "Namespace" && version == "v1") {
    into.namespaces.push_back({read_meta(object, file, false)});
    // The API server adds it to every namespace.
    into.namespaces.back().meta.labels.try_emplace("kubernetes.io/metadata.name",
                                                   into.namespaces.back().meta.name);
    return true;
  }
  if (!version.starts_with("kueue.x-k8s.io/")) return false;
  ObjectMeta meta = read_meta(object, file, is_namespaced(kind));
  const FieldReading reading{
      file, fmt::format("{} {}{}{}", kind, meta.ns, meta.ns.empty() ? "" : "/", meta.name), diagnostics};
  if (meta.name.empty()) {
    reading.refuse(object, "metadata.name", "the object has no name");
    return true;
  }
  if (kind == "ClusterQueue")
    into.cluster_queues.push_back(read_cluster_queue(object, std::move(meta), reading));
  else if (kind == "Cohort")
    into.cohorts.push_back(read_cohort(object, std::move(meta), reading));
  else if (kind == "LocalQueue")
    into.local_queues.push_back(read_local_queue(object, std::move(meta), reading));
  else if (kind == "ResourceFlavor")
    into.flavors.push_back(read_flavor(object, std::move(meta)));
  else if (kind == "Topology")
    into.topologies.push_back(read_topology(object, std::move(meta)));
  else if (kind == "Workload")
    into.workloads.push_back(read_workload(object, std::move(meta), reading));
  else if (kind == "AdmissionCheck")
    into.admission_checks.push_back({std::move(meta), object["spec"]["controllerName"].text(),
                                     read_conditions(object["status"]["conditions"])});
  else if (kind == "WorkloadPriorityClass")
    into.priority_classes.push_back(
        {std::move(meta), read_int32(object["value"], "value", reading).value_or(0)});
  else
    return false;
  return true;
}

}  // namespace etiage::formats
