#include "explain/waste/subjects.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "base/ascii.h"
#include "explain/waste/engine_series.h"

namespace etiage::explain {
namespace {

/// Of the device exporter.
std::string_view metric_of(BusySignal signal) {
  switch (signal) {
    case BusySignal::kSmActive:
      return "DCGM_FI_PROF_SM_ACTIVE";
    case BusySignal::kGrEngineActive:
      return "DCGM_FI_PROF_GR_ENGINE_ACTIVE";
    default:
      return "DCGM_FI_DEV_GPU_UTIL";
  }
}

std::string label(const LabelMap& labels, std::string_view name) {
  const auto it = labels.find(name);
  return it == labels.end() ? "" : it->second;
}

// Labels by which the makers of nodes name their pools.
constexpr std::array<std::string_view, 6> kPoolLabels{
    "karpenter.sh/nodepool",          "cloud.google.com/gke-nodepool",  "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name", "kubernetes.azure.com/agentpool", "agentpool"};

std::string pool_of(const NodeLife& node) {
  for (std::string_view key : kPoolLabels)
    if (std::string pool = label(node.labels, key); !pool.empty()) return pool;
  return "";
}

}  // namespace

Subject workload_of(const Evidence& evidence, PodId id) {
  const PodLife& pod = evidence.pods[id.index()];
  return {pod.workload_kind.empty() ? "Pod" : pod.workload_kind, pod.ns,
          pod.workload.empty() ? pod.name : pod.workload, pod.cluster};
}

Subject node_subject(const Evidence& evidence, NodeId id) {
  const NodeLife& node = evidence.nodes[id.index()];
  return {"Node", "", node.name, node.cluster};
}

std::string owner_of(const Evidence& evidence, const std::vector<PodId>& pods) {
  for (PodId pod : pods)
    if (const std::string& team = evidence.pods[pod.index()].team; !team.empty()) return team;
  return pods.empty() ? "" : evidence.pods[pods.front().index()].ns;
}

std::string owner_of(const NodeLife& node) {
  if (std::string team = label(node.labels, "team"); !team.empty()) return team;
  return pool_of(node);
}

std::string scale_command(const Subject& w, std::int64_t replicas) {
  static constexpr std::array<std::string_view, 5> kScalable{"Deployment", "StatefulSet", "ReplicaSet",
                                                             "LeaderWorkerSet", "ReplicationController"};
  const std::string on = fmt::format("{}/{}", lower_case(w.kind), w.name);
  if (std::ranges::find(kScalable, w.kind) != kScalable.end())
    return fmt::format("kubectl -n {} scale {} --replicas={}", w.ns, on, replicas);
  if (w.kind == "Notebook")
    return fmt::format("kubectl -n {} annotate {} kubeflow-resource-stopped=\"$(date -u +%FT%TZ)\"", w.ns,
                       on);
  if (w.kind == "Job" || w.kind == "JobSet" || w.kind == "PyTorchJob" || w.kind == "RayJob")
    return fmt::format("kubectl -n {} patch {} --type merge -p '{{\"spec\":{{\"suspend\":true}}}}'", w.ns,
                       on);
  if (w.kind == "InferenceService")
    return fmt::format(
        "kubectl -n {} patch {} --type merge -p '{{\"spec\":{{\"predictor\":{{\"minReplicas\":{}}}}}}}'",
        w.ns, on, replicas);
  return fmt::format("kubectl -n {} delete {}", w.ns, on);
}

std::vector<std::string> release_commands(const NodeLife& node) {
  std::vector<std::string> out{
      fmt::format("kubectl drain {} --ignore-daemonsets --delete-emptydir-data", node.name)};
  const std::string pool = pool_of(node);
  if (!label(node.labels, "karpenter.sh/nodepool").empty()) {
    out.push_back(
        fmt::format("kubectl patch nodepool {} --type merge -p '{{\"spec\":{{\"disruption\":"
                    "{{\"consolidationPolicy\":\"WhenEmptyOrUnderutilized\",\"consolidateAfter\":"
                    "\"5m\"}}}}}}'",
                    pool));
  } else if (!label(node.labels, "cloud.google.com/gke-nodepool").empty()) {
    out.push_back(
        fmt::format("gcloud container node-pools update {} --cluster CLUSTER --enable-autoscaling "
                    "--min-nodes 0 --max-nodes N",
                    pool));
  } else if (!label(node.labels, "eks.amazonaws.com/nodegroup").empty()) {
    out.push_back(
        fmt::format("aws eks update-nodegroup-config --cluster-name CLUSTER --nodegroup-name {} "
                    "--scaling-config minSize=0",
                    pool));
  } else {
    out.push_back(fmt::format("kubectl delete node {}", node.name));
  }
  return out;
}

bool belongs_to_node(const PodLife& pod, const NodeLife& node) {
  if (pod.workload_kind == "DaemonSet" || pod.workload_kind == "Node") return true;
  return pod.ns == "kube-system" && pod.name.ends_with("-" + node.name);  // static pods
}

std::vector<PodId> scaled_pods(const Evidence& evidence, const ClusterAutoscaler& a) {
  std::vector<PodId> out;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const PodLife& pod = evidence.pods[i];
    if (pod.cluster == a.cluster && pod.ns == a.autoscaler.meta.ns && pod.workload == a.autoscaler.target &&
        pod.workload_kind == a.autoscaler.target_kind)
      out.push_back({i});
  }
  return out;
}

std::vector<std::vector<PodId>> by_workload(const Evidence& evidence, const std::vector<PodId>& pods) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<PodId>> groups;
  for (PodId pod : pods) {
    const Subject s = workload_of(evidence, pod);
    groups[{s.cluster, s.ns, s.name, s.kind}].push_back(pod);
  }
  std::vector<std::vector<PodId>> out;
  for (auto& [key, group] : groups) out.push_back(std::move(group));
  return out;
}

std::int64_t replicas_at_end(const Evidence& evidence, const std::vector<PodId>& pods) {
  return std::ranges::count_if(
      pods, [&](PodId p) { return evidence.pods[p.index()].life.end >= evidence.window.end; });
}

std::string percent_text(double ratio) {
  return fmt::format("{:.{}f} %", 100 * ratio, ratio < 0.1 ? 1 : 0);
}

std::string hours_text(double seconds) {
  return seconds >= 48 * 3600 ? fmt::format("{:.1f} days", seconds / 86400)
                              : fmt::format("{:.1f} h", seconds / 3600);
}

std::string busy_source(const Evidence& evidence, PodId id, BusySignal signal, DeviceId device) {
  const PodLife& pod = evidence.pods[id.index()];
  if (signal == BusySignal::kEngineRunning)
    return engine_series(pod.engine)
        .running.selector(fmt::format("namespace=\"{}\",pod=\"{}\"", pod.ns, pod.name));
  if (!device.valid())
    return fmt::format("{}{{namespace=\"{}\",pod=\"{}\"}}", metric_of(signal), pod.ns, pod.name);
  const DeviceLife& d = evidence.devices[device.index()];
  return fmt::format("{}{{UUID=\"{}\"{}}}", metric_of(signal), d.uuid,
                     d.instance.empty() ? "" : fmt::format(",GPU_I_ID=\"{}\"", d.instance));
}

}  // namespace etiage::explain
