#include <fmt/format.h>

#include "formats/kube/kueue_fields.h"
#include "formats/kube/meta.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"

namespace etiage::formats::kueue {
namespace {

/// More domains than any cluster has nodes; bounds what a few bytes of input may ask for.
constexpr std::int32_t kMostDomains = 1'000'000;

TopologyRequest read_topology_request(const Tree& tree, const std::string& path,
                                      const FieldReading& reading) {
  TopologyRequest out;
  out.required = read_optional_string(tree["required"]);
  out.preferred = read_optional_string(tree["preferred"]);
  out.unconstrained = tree["unconstrained"].as_bool();
  out.group = read_optional_string(tree["podSetGroupName"]);
  out.slice_topology = read_optional_string(tree["podSetSliceRequiredTopology"]);
  out.slice_size = read_int32(tree["podSetSliceSize"], path + ".podSetSliceSize", reading);
  for (const Tree& c : tree["podsetSliceRequiredTopologyConstraints"].items())
    out.slice_constraints.push_back({c["topology"].text(), read_int32(c["size"], path, reading).value_or(0)});
  return out;
}

std::vector<PodSet> read_pod_sets(const Tree& tree, const FieldReading& reading) {
  std::vector<PodSet> out;
  for (const Tree& item : tree.items()) {
    const std::string path = fmt::format("spec.podSets[{}]", out.size());
    PodSet& p = out.emplace_back();
    if (item.has("name")) p.name = item["name"].text();
    p.count = read_int32(item["count"], path + ".count", reading).value_or(1);
    p.min_count = read_int32(item["minCount"], path + ".minCount", reading);
    const Tree& pod = item["template"];
    p.spec = read_pod_spec(pod["spec"], read_label_map(pod["metadata"]["labels"]), reading);
    if (item.has("topologyRequest"))
      p.topology = read_topology_request(item["topologyRequest"], path + ".topologyRequest", reading);
  }
  return out;
}

/// One value of every domain of a slice at one level.
std::string level_value(const Tree& values, std::size_t domain) {
  if (values.has("universal")) return values["universal"].text();
  const Tree& individual = values["individual"];
  return individual["prefix"].text() + individual["roots"].at(domain).text() + individual["suffix"].text();
}

/// v1beta2 writes domains in slices, with what the values have in common written once.
void read_slice(const Tree& slice, TopologyAssignment& out, const FieldReading& reading) {
  const std::int32_t count =
      read_int32(slice["domainCount"], "topologyAssignment.slices", reading).value_or(0);
  if (count < 0 || count > kMostDomains) {
    reading.refuse(slice["domainCount"], "topologyAssignment.slices", "domainCount is out of all proportion");
    return;
  }
  const Tree& pods = slice["podCounts"];
  for (std::int32_t i = 0; i < count; ++i) {
    const auto domain = static_cast<std::size_t>(i);
    TopologyDomain& d = out.domains.emplace_back();
    for (const Tree& level : slice["valuesPerLevel"].items()) d.values.push_back(level_value(level, domain));
    const Tree& n = pods.has("universal") ? pods["universal"] : pods["individual"].at(domain);
    d.count = read_int32(n, "topologyAssignment.slices.podCounts", reading).value_or(0);
  }
}

Admission read_admission(const Tree& tree, const FieldReading& reading) {
  Admission out{.cluster_queue = tree["clusterQueue"].text()};
  for (const Tree& item : tree["podSetAssignments"].items()) {
    const std::string path = fmt::format("status.admission.podSetAssignments[{}]", out.pod_sets.size());
    PodSetAdmission& a = out.pod_sets.emplace_back();
    a.name = item.has("name") ? item["name"].text() : "main";
    a.count = read_int32(item["count"], path + ".count", reading);
    a.flavors = read_label_map(item["flavors"]);
    a.usage = read_resource_list(item["resourceUsage"], path + ".resourceUsage", reading);
    if (item.has("topologyAssignment"))
      a.topology = read_topology_assignment(item["topologyAssignment"], reading);
    a.topology_delayed = item["delayedTopologyRequest"].text() == "Pending";
  }
  return out;
}

void read_status(const Tree& status, Workload& out, const FieldReading& reading) {
  out.conditions = read_conditions(status["conditions"]);
  if (status.has("admission")) out.admission = read_admission(status["admission"], reading);
  for (const Tree& c : status["admissionChecks"].items())
    out.admission_checks.push_back({c["name"].text(), c["state"].text(), c["message"].text()});
  for (const Tree& r : status["reclaimablePods"].items())
    out.reclaimable_pods.emplace_back(r["name"].text(),
                                      read_int32(r["count"], "status.reclaimablePods", reading).value_or(0));
  const Tree& requeue = status["requeueState"];
  out.requeue_at = parse_instant(requeue["requeueAt"].text());
  out.requeue_count = read_int32(requeue["count"], "status.requeueState.count", reading).value_or(0);
  out.resource_requests_known = !status["resourceRequests"].items().empty();
}

}  // namespace

TopologyAssignment read_topology_assignment(const Tree& tree, const FieldReading& reading) {
  TopologyAssignment out{.levels = read_strings(tree["levels"])};
  for (const Tree& d : tree["domains"].items())
    out.domains.push_back({read_strings(d["values"]),
                           read_int32(d["count"], "topologyAssignment.domains", reading).value_or(0)});
  for (const Tree& slice : tree["slices"].items()) read_slice(slice, out, reading);
  return out;
}

Workload read_workload(const Tree& object, ObjectMeta meta, const FieldReading& reading) {
  const Tree& spec = object["spec"];
  Workload out{.meta = std::move(meta)};
  // The API server never leaves it empty.
  if (out.meta.uid.empty()) out.meta.uid = "uid-" + out.meta.name;
  out.queue = spec["queueName"].text();
  out.pod_sets = read_pod_sets(spec["podSets"], reading);
  out.priority = read_int32(spec["priority"], "spec.priority", reading);
  out.priority_class = spec.has("priorityClassRef") ? spec["priorityClassRef"]["name"].text()
                                                    : spec["priorityClassName"].text();
  out.active = spec["active"].as_bool().value_or(true);
  read_status(object["status"], out, reading);
  return out;
}

}  // namespace etiage::formats::kueue
