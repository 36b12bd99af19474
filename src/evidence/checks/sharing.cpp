// Shared devices and claims: shares that pass a card, sharers that nobody tells apart.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/counted.h"
#include "evidence/checks/checks.h"

namespace etiage::evidence {
namespace {

/// The most that was held of a node's cards at once.
double most_held(const Draft& draft, const std::vector<std::uint32_t>& holdings) {
  std::map<Instant, double> steps;
  for (auto i : holdings) {
    const Holding& h = draft.out.holdings[i];
    if (h.time.empty()) continue;
    steps[h.time.start] += h.share;
    steps[h.time.end] -= h.share;
  }
  double now = 0, most = 0;
  for (const auto& [t, change] : steps) most = std::max(most, now += change);
  return most;
}

/// How many pods the rows of one device name at once, at most.
std::size_t most_named(const DeviceRows& d) {
  std::map<Instant, int> steps;
  for (const Presence& p : d.presences) steps[p.first] += 1, steps[p.until] -= 1;
  int now = 0, most = 0;
  for (const auto& [t, change] : steps) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

}  // namespace

void check_overfull(Draft& draft) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_node;
  for (std::uint32_t i = 0; i < draft.out.holdings.size(); ++i)
    of_node[draft.out.holdings[i].node.value].push_back(i);
  std::vector<std::string> subjects;
  for (const auto& [node, holdings] : of_node) {
    const double most = most_held(draft, holdings);
    const double cards = draft.out.nodes[node].cards;
    if (most <= cards + 1e-9 || most == 0) continue;
    subjects.push_back(draft.out.nodes[node].name);
    if (cards == 0) {
      draft.out.nodes[node].cards = static_cast<int>(std::ceil(most - 1e-9));
      continue;
    }
    for (auto i : holdings) draft.out.holdings[i].share *= cards / most;
  }
  if (!subjects.empty())
    draft.check({"shares-above-card", Severity::kError, "pods hold more than the cards of their node",
                 "shares are scaled to what there is",
                 "look for pods counted twice, or a wrong number of replicas", std::move(subjects)});
}

void check_sharers(Draft& draft) {
  std::map<NodeId, std::size_t> named;
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i)
    if (const DeviceId id = draft.device_ids[i]; id.valid()) {
      std::size_t& most = named[draft.out.devices[id.index()].node];
      most = std::max(most, most_named(draft.catalogue.devices[i]));
    }
  std::vector<std::string> subjects;
  for (const auto& [node, most] : named) {
    const NodeLife& n = draft.out.nodes[node.index()];
    if (n.replicas < 2 || most != 1) continue;
    std::vector<std::uint32_t> holdings;
    std::set<PodId> pods;
    for (std::uint32_t i = 0; i < draft.out.holdings.size(); ++i)
      if (draft.out.holdings[i].node == node) holdings.push_back(i), pods.insert(draft.out.holdings[i].pod);
    // More sharers than cards at once: some card has two, and its rows name one.
    if (most_held(draft, holdings) * n.replicas > n.cards + 1e-9) subjects.push_back(n.name);
  }
  if (!subjects.empty())
    draft.check({"virtual-gpus-off", Severity::kWarning,
                 "cards are shared in time, and their rows name one pod each",
                 "the other sharers are `unmeasured`, or the one that is named gets the whole card's work",
                 "exporter: KUBERNETES_VIRTUAL_GPUS=true (Helm: extraEnv: [{name: KUBERNETES_VIRTUAL_GPUS, "
                 "value: \"true\"}])",
                 std::move(subjects)});
}

/// With KUBERNETES_VIRTUAL_GPUS each sharer gets a row with the whole device's value.
void check_copies(Draft& draft) {
  std::set<std::string> nodes;
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i)
    if (const DeviceId id = draft.device_ids[i]; id.valid() &&
                                                 draft.catalogue.devices[i].exporter_dialect == "DCGM" &&
                                                 most_named(draft.catalogue.devices[i]) > 1)
      nodes.insert(draft.out.nodes[draft.out.devices[id.index()].node.index()].name);
  if (!nodes.empty())
    draft.check({"virtual-gpus-copies",
                 Severity::kInfo,
                 "each pod on a shared card has a row with the whole card's value",
                 "one reading here; sums over pods in PromQL count a card as often as it has sharers",
                 "max by (Hostname, UUID, GPU_I_ID) (METRIC) before any sum",
                 {nodes.begin(), nodes.end()}});
}

void check_claims(Draft& draft) {
  std::vector<std::string> subjects;
  std::vector<bool> measured(draft.out.pods.size());
  for (const Work& w : draft.out.work) measured[draft.out.holdings[w.holding.index()].pod.index()] = true;
  for (const Holding& h : draft.out.holdings)
    if (draft.pod(h.pod).devices.resource == "resource claim" && !measured[h.pod.index()])
      subjects.push_back(name_of(draft.pod(h.pod)));
  subjects = unique(std::move(subjects));
  if (!subjects.empty() && !draft.out.window.empty())
    draft.check(
        {"dra-pods-without-rows", Severity::kWarning,
         counted(subjects.size(), "pod holds devices by ResourceClaims, and no row is its own",
                 "pods hold devices by ResourceClaims, and no row is theirs"),
         "their money is right, by the claim; their work is `unmeasured`",
         "exporter: KUBERNETES_ENABLE_DRA=true, a ClusterRole with get, list, watch on resourceslices, and "
         "resource.k8s.io/v1beta1 still served for releases before mid-2026",
         std::move(subjects)});
}

}  // namespace etiage::evidence
