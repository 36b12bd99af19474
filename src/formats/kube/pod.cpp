#include "formats/kube/pod.h"

#include "formats/kube/affinity.h"
#include "formats/kube/meta.h"
#include "formats/kube/node.h"

namespace etiage::formats {
namespace {

std::int32_t int32_of(const Tree& tree) {
  return static_cast<std::int32_t>(tree.as_int().value_or(0));
}

std::vector<std::string> texts(const Tree& tree) {
  std::vector<std::string> out;
  for (const Tree& item : tree.items()) out.push_back(item.text());
  return out;
}

std::vector<ContainerPort> read_ports(const Tree& tree) {
  std::vector<ContainerPort> out;
  for (const Tree& p : tree.items()) {
    ContainerPort port{int32_of(p["containerPort"]), int32_of(p["hostPort"]), p["hostIP"].text()};
    if (p.has("protocol")) port.protocol = p["protocol"].text();
    out.push_back(std::move(port));
  }
  return out;
}

Container read_container(const Tree& tree, const std::string& path, const FieldReading& reading) {
  Container c{.name = tree["name"].text(),
              .image = tree["image"].text(),
              .command = texts(tree["command"]),
              .args = texts(tree["args"])};
  for (const Tree& e : tree["env"].items())
    if (e.has("value")) c.env.emplace_back(e["name"].text(), e["value"].text());
  const Tree& resources = tree["resources"];
  c.requests = read_resource_list(resources["requests"], path + ".resources.requests", reading);
  c.limits = read_resource_list(resources["limits"], path + ".resources.limits", reading);
  for (const Tree& claim : resources["claims"].items())
    c.claims.push_back({claim["name"].text(), claim["request"].text()});
  c.ports = read_ports(tree["ports"]);
  c.restart_always = tree["restartPolicy"].text() == "Always";
  return c;
}

std::vector<Container> read_containers(const Tree& tree, const std::string& path,
                                       const FieldReading& reading) {
  std::vector<Container> out;
  for (const Tree& item : tree.items())
    out.push_back(read_container(item, path + "[" + std::to_string(out.size()) + "]", reading));
  return out;
}

ContainerRun read_run(const Tree& state) {
  ContainerRun out;
  for (const auto& [kind, run] : state.members()) {
    out.started = parse_instant(run["startedAt"].text());
    out.finished = parse_instant(run["finishedAt"].text());
    out.reason = run["reason"].text();
  }
  return out;
}

PodStatus read_status(const Tree& tree) {
  PodStatus out{.phase = tree["phase"].text(),
                .start_time = parse_instant(tree["startTime"].text()),
                .conditions = read_conditions(tree["conditions"]),
                .nominated_node = tree["nominatedNodeName"].text()};
  for (const Tree& c : tree["containerStatuses"].items())
    out.containers.push_back({c["name"].text(), c["ready"].as_bool().value_or(false),
                              int32_of(c["restartCount"]), read_run(c["state"]), read_run(c["lastState"])});
  for (const Tree& c : tree["resourceClaimStatuses"].items())
    out.claim_names.emplace_back(c["name"].text(), c["resourceClaimName"].text());
  return out;
}

std::vector<PodClaim> read_claims(const Tree& tree) {
  std::vector<PodClaim> out;
  for (const Tree& c : tree.items())
    out.push_back({c["name"].text(), c["resourceClaimName"].text(), c["resourceClaimTemplateName"].text()});
  return out;
}

}  // namespace

std::vector<Toleration> read_tolerations(const Tree& tree) {
  std::vector<Toleration> out;
  for (const Tree& t : tree.items()) {
    Toleration toleration{.key = t["key"].text(),
                          .value = t["value"].text(),
                          .toleration_seconds = t["tolerationSeconds"].as_int()};
    if (t.has("operator")) toleration.op = t["operator"].text();
    const std::string& effect = t["effect"].text();
    if (effect == "NoSchedule") toleration.effect = TaintEffect::kNoSchedule;
    if (effect == "PreferNoSchedule") toleration.effect = TaintEffect::kPreferNoSchedule;
    if (effect == "NoExecute") toleration.effect = TaintEffect::kNoExecute;
    out.push_back(std::move(toleration));
  }
  return out;
}

PodSpec read_pod_spec(const Tree& spec, const LabelMap& labels, const FieldReading& reading) {
  PodSpec out{.containers = read_containers(spec["containers"], "spec.containers", reading),
              .init_containers = read_containers(spec["initContainers"], "spec.initContainers", reading)};
  const Tree& resources = spec["resources"];
  if (resources.has("requests"))
    out.pod_requests = read_resource_list(resources["requests"], "spec.resources.requests", reading);
  if (resources.has("limits"))
    out.pod_limits = read_resource_list(resources["limits"], "spec.resources.limits", reading);
  out.overhead = read_resource_list(spec["overhead"], "spec.overhead", reading);
  out.node_name = spec["nodeName"].text();
  out.scheduler_name = spec["schedulerName"].text();
  out.priority_class = spec["priorityClassName"].text();
  out.preemption_policy = spec["preemptionPolicy"].text();
  out.runtime_class = spec["runtimeClassName"].text();
  if (spec.has("priority")) out.priority = int32_of(spec["priority"]);
  out.node_selector = read_label_map(spec["nodeSelector"]);
  out.affinity = read_affinity(spec["affinity"], labels);
  out.tolerations = read_tolerations(spec["tolerations"]);
  out.spread = read_topology_spread(spec["topologySpreadConstraints"]);
  out.claims = read_claims(spec["resourceClaims"]);
  for (const Tree& gate : spec["schedulingGates"].items())
    out.scheduling_gates.push_back(gate["name"].text());
  out.host_network = spec["hostNetwork"].as_bool().value_or(false);
  return out;
}

Pod read_pod(const Tree& object, const std::string& file, Diagnostics& diagnostics) {
  Pod out{.meta = read_meta(object, file, true)};
  const FieldReading reading{file, "Pod " + out.meta.ns + "/" + out.meta.name, diagnostics};
  out.spec = read_pod_spec(object["spec"], out.meta.labels, reading);
  out.status = read_status(object["status"]);
  return out;
}

}  // namespace etiage::formats
