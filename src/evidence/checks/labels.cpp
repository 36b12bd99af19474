// Whom the rows of devices name.

#include <map>
#include <set>

#include "base/counted.h"
#include "evidence/checks/checks.h"

namespace etiage::evidence {
namespace {

NodeId node_of(const Draft& draft, std::size_t device) {
  const DeviceId id = draft.device_ids[device];
  return id.valid() ? draft.out.devices[id.index()].node : NodeId{};
}

/// Nodes on which pods hold devices by their requests.
std::set<NodeId> nodes_with_requests(const Draft& draft) {
  std::set<NodeId> out;
  for (const Holding& h : draft.out.holdings)
    if (draft.out.pods[h.pod.index()].source != PodSource::kDeviceRows) out.insert(h.node);
  return out;
}

struct Named {
  bool any = false;       ///< rows name a pod
  bool exporter = false;  ///< rows name the exporter's own pod only
};

std::map<NodeId, Named> named_by_rows(const Draft& draft) {
  std::map<NodeId, Named> out;
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i) {
    const NodeId node = node_of(draft, i);
    if (!node.valid()) continue;
    out[node].any |= !draft.catalogue.devices[i].presences.empty();
    out[node].exporter |= !draft.catalogue.devices[i].exporter.second.empty();
  }
  return out;
}

}  // namespace

void check_exported_labels(Draft& draft) {
  if (draft.catalogue.exported_labels)
    draft.check(
        {"honor-labels",
         Severity::kInfo,
         "device rows name workloads in exported_ labels",
         "read as they are meant; other tools join them to the exporter",
         "set honorLabels: true on the exporter's ServiceMonitor (Helm: serviceMonitor.honorLabels=true)",
         {}});
}

void check_pod_labels(Draft& draft) {
  const auto wanted = nodes_with_requests(draft);
  std::vector<std::string> nameless, exporters;
  for (const auto& [node, named] : named_by_rows(draft))
    if (!named.any && wanted.contains(node))
      (named.exporter && !draft.catalogue.exported_labels ? exporters : nameless)
          .push_back(draft.out.nodes[node.index()].name);
  if (!exporters.empty())
    draft.check({"labels-name-exporter", Severity::kWarning,
                 "device rows name the exporter's own pod and no workload",
                 "who holds which device is taken from requests; what is held is `unmeasured`",
                 "ServiceMonitor: honorLabels: true (Helm: serviceMonitor.honorLabels=true); or keep "
                 "exported_pod, exported_namespace and exported_container in metricRelabelings",
                 unique(std::move(exporters))});
  if (!nameless.empty())
    draft.check(
        {"pod-labels-missing", Severity::kWarning, "device rows name no pod on nodes where pods hold devices",
         "who holds which device is taken from requests; what is held is `unmeasured`",
         "exporter: DCGM_EXPORTER_KUBERNETES=true and /var/lib/kubelet/pod-resources mounted; for renamed "
         "or shared resources NVIDIA_RESOURCE_NAMES=nvidia.com/gpu,nvidia.com/gpu.shared; on GKE "
         "DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE=device-name",
         unique(std::move(nameless))});
}

void check_busy_without_holder(Draft& draft) {
  std::vector<std::string> subjects;
  for (const DeviceLife& d : draft.out.devices)
    if (d.free_busy_seconds > 300 && d.free_busy_seconds > 0.01 * d.free_seconds)
      subjects.push_back(draft.out.nodes[d.node.index()].name + "/" + d.uuid +
                         (d.instance.empty() ? "" : "/" + d.instance));
  if (!subjects.empty())
    draft.check({"busy-without-holder", Severity::kWarning,
                 counted(subjects.size(), "device worked while no pod that is known held it",
                         "devices worked while no pod that is known held them"),
                 "they are counted free and are not: their money is nobody's, and no waste",
                 "give the objects of all namespaces (kubectl get pods -A -o json), or the exporter's pod "
                 "labels; processes outside Kubernetes show in nvidia-smi on the node",
                 unique(std::move(subjects))});
}

void check_scraped_twice(Draft& draft) {
  std::map<std::string, std::set<std::string>> jobs;  // by UUID
  for (const Series& s : draft.sources.series.all()) {
    if (s.meaning.role != Role::kDeviceRow && !busy_signal(s.meaning.role)) continue;
    if (const auto uuid = s.label("UUID"); !uuid.empty() && s.has("job"))
      jobs[std::string(uuid)].insert(std::string(s.label("job")));
  }
  std::vector<std::string> subjects;
  for (const auto& [uuid, of] : jobs)
    if (of.size() > 1) subjects.insert(subjects.end(), of.begin(), of.end());
  if (!subjects.empty())
    draft.check(
        {"devices-scraped-twice", Severity::kWarning, "the same devices are scraped by several jobs",
         "counted once here; sums in PromQL are too large, and each job may name another pod",
         "keep one: drop the other's ServiceMonitor, or {action: drop, sourceLabels: [job], regex: JOB}",
         unique(std::move(subjects))});
}

void check_both_levels(Draft& draft) {
  std::set<std::pair<std::string, std::string>> cut;
  for (const DeviceRows& d : draft.catalogue.devices)
    if (!d.instance.empty()) cut.emplace(d.cluster, d.uuid);
  std::vector<std::string> subjects;
  for (const DeviceRows& d : draft.catalogue.devices)
    if (d.instance.empty() && !d.gauges.empty() && cut.contains({d.cluster, d.uuid}))
      subjects.push_back(d.host + "/" + d.uuid);
  if (!subjects.empty())
    draft.check({"mig-both-levels", Severity::kInfo,
                 "rows of whole cards stand beside rows of their MIG instances",
                 "only the instances count here; sums in PromQL count the card twice",
                 "run the exporter with DCGM_EXPORTER_DEVICES_STR=f (the default), not g and i together",
                 unique(std::move(subjects))});
}

void check_host_label(Draft& draft) {
  bool upper = false, lower = false;
  for (const Series& s : draft.sources.series.all()) {
    if (s.meaning.dialect != "DCGM") continue;
    upper |= s.has("Hostname"), lower |= s.has("hostname");
  }
  if (upper && lower)
    draft.check({"host-label-spellings",
                 Severity::kInfo,
                 "DCGM rows spell the label of their host both Hostname and hostname",
                 "read alike here; joins and dashboards by one of them lose the nodes of the other",
                 "run one release of the exporter on all nodes (it was renamed in May 2026), or "
                 "metricRelabelings: [{sourceLabels: [Hostname], regex: (.+), targetLabel: hostname}]",
                 {}});
}

}  // namespace etiage::evidence
