// What kube-state-metrics and cAdvisor tell, and how series of several sources fit together.

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/counted.h"
#include "evidence/accelerators.h"
#include "evidence/checks/checks.h"

namespace etiage::evidence {
namespace {

bool has_role(const Draft& draft, Role role) {
  return std::ranges::any_of(draft.sources.series.all(),
                             [&](const Series& s) { return s.meaning.role == role; });
}

}  // namespace

void check_readiness(Draft& draft) {
  std::size_t holders = 0, known = 0;
  std::set<std::uint32_t> seen;
  for (const Holding& h : draft.out.holdings)
    if (seen.insert(h.pod.value).second) holders += 1, known += draft.pod(h.pod).readiness_known ? 1 : 0;
  if (holders > 0 && known < holders)
    draft.check({"readiness-missing",
                 Severity::kInfo,
                 "readiness is known of " + std::to_string(known) + " of " +
                     counted(holders, "pod that holds devices", "pods that hold devices"),
                 "nothing of the others is `starting`",
                 "scrape kube-state-metrics (kube_pod_status_ready)",
                 {}});
}

void check_kube_state(Draft& draft) {
  const auto by_rows = std::ranges::count(draft.out.pods, PodSource::kDeviceRows, &PodLife::source);
  if (by_rows == 0) return;
  const bool all = by_rows == std::ssize(draft.out.pods);
  draft.check(
      {"pods-by-rows-only",
       all ? Severity::kWarning : Severity::kInfo,
       counted(static_cast<std::size_t>(by_rows), "pod is", "pods are") + " known only from device rows",
       "their lives end with their rows; requests, owners, teams and CPU are not known",
       "give kubectl get pods,nodes,ns,deploy,rs,sts,ds,jobs -A -o json, or kube_pod_* of "
       "kube-state-metrics",
       {}});
}

void check_amounts(Draft& draft) {
  std::vector<std::string> subjects;
  const auto look = [&](const std::string& whose, const ResourceList& list) {
    for (const auto& [resource, amount] : list)
      if (is_absurd(resource, amount))
        subjects.push_back(fmt::format("{}: {} {}", whose, resource, amount.canonical()));
  };
  for (const NamedCluster& c : draft.sources.clusters) {
    for (const Node& n : c.objects.nodes) look(n.meta.name, n.capacity), look(n.meta.name, n.allocatable);
    for (const Pod& p : c.objects.pods) look(p.meta.ns + "/" + p.meta.name, effective_requests(p.spec));
  }
  if (!subjects.empty())
    draft.check(
        {"absurd-amounts", Severity::kError,
         "nodes or pods tell amounts that no machine has, or negative ones",
         "they are left out: who asks for them is charged nothing for them",
         "kubectl get nodes,pods -A -o json  # fetch them again; a device plug-in that registers such a "
         "number is broken",
         unique(std::move(subjects))});
}

void check_usage(Draft& draft) {
  if (draft.out.window.empty() || draft.out.resources.empty() || has_role(draft, Role::kCpuSeconds)) return;
  draft.check(
      {"usage-missing",
       Severity::kInfo,
       "no CPU use of containers",
       "CPU and memory are charged by request alone",
       "add container_cpu_usage_seconds_total and container_memory_working_set_bytes (kubelet's cAdvisor)",
       {}});
}

void check_replicas(Draft& draft) {
  std::set<std::string> names;
  for (const Series& s : draft.sources.series.all())
    if (s.replicas.size() > 1)
      for (const auto& [replica, track] : s.replicas) {
        std::string shown = replica;
        std::ranges::replace(shown, '\0', '=');
        std::erase(shown, '\1');
        names.insert(shown);
      }
  if (!names.empty())
    draft.check(
        {"ha-replicas",
         Severity::kInfo,
         "samples come twice, from replicas of Prometheus",
         "merged: each is counted once",
         "in PromQL deduplicate at the querier: --query.replica-label=prometheus_replica (Thanos), or "
         "sums are doubled",
         {names.begin(), names.end()}});
}

void check_node_labels(Draft& draft) {
  std::map<std::string, std::size_t> sets;
  for (const Series& s : draft.sources.series.all())
    if (s.meaning.role == Role::kNodeLabels)
      sets[std::string(s.label("cluster")) + "/" + std::string(s.label("node"))] += 1;
  std::vector<std::string> subjects;
  for (const auto& [node, count] : sets)
    if (count > 1) subjects.push_back(node.substr(node.find('/') + 1));
  if (!subjects.empty())
    draft.check(
        {"node-labels-churn", Severity::kInfo, "the labels of nodes changed inside the data",
         "the last ones count; in PromQL joins on kube_node_labels fail with duplicate series",
         "kube-state-metrics: --metric-labels-allowlist=nodes=[nvidia.com/gpu.product,...] with labels "
         "that stay, and max by (node, label_nvidia_com_gpu_product) (kube_node_labels) in joins",
         std::move(subjects)});
}

void check_cluster_labels(Draft& draft) {
  std::map<bool, std::set<std::string_view>> dialects;  // with a cluster label, and without
  std::set<std::string> names;
  for (const Series& s : draft.sources.series.all()) {
    dialects[s.has("cluster")].insert(s.meaning.dialect);
    if (s.has("cluster")) names.emplace(s.label("cluster"));
  }
  if (dialects[true].empty() || dialects[false].empty() || names.size() > 1) return;
  std::vector<std::string> subjects(dialects[false].begin(), dialects[false].end());
  draft.check({"cluster-label-partial", Severity::kInfo,
               "only some series carry the label cluster=\"" + *names.begin() + "\"",
               "taken for one cluster; with a second one they could not be told apart, and joins by cluster "
               "match nothing",
               "set it for all: prometheus.prometheusSpec.externalLabels.cluster, or a relabeling "
               "{targetLabel: cluster, replacement: " +
                   *names.begin() + "} on each job",
               std::move(subjects)});
}

}  // namespace etiage::evidence
