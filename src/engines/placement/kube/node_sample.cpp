#include "engines/placement/kube/node_sample.h"

#include <algorithm>
#include <map>
#include <set>

namespace etiage::placement {
namespace {

std::string zone_of(const Node& node) {
  const auto label = [&](std::string_view key) {
    const auto it = node.meta.labels.find(key);
    return it == node.meta.labels.end() ? std::string() : it->second;
  };
  return label("topology.kubernetes.io/region") + '\0' + label("topology.kubernetes.io/zone");
}

std::vector<NodeIndex> zone_by_zone(const Snapshot& snapshot) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::vector<NodeIndex>> zones;
  for (const NodeInfo& node : snapshot.nodes()) {
    const auto [it, fresh] = numbers.try_emplace(zone_of(snapshot.input().nodes[node.index]), zones.size());
    if (fresh) zones.emplace_back();
    zones[it->second].push_back(node.index);
  }
  std::vector<NodeIndex> out;
  for (std::size_t round = 0; out.size() < snapshot.nodes().size(); ++round)
    for (const auto& zone : zones)
      if (round < zone.size()) out.push_back(zone[round]);
  return out;
}

}  // namespace

std::size_t feasible_nodes_to_find(std::size_t nodes, std::int32_t percentage) {
  constexpr std::size_t kFewest = 100;
  constexpr std::int64_t kFewestPercent = 5, kAdaptive = 50, kNodesPerPercent = 125;
  if (nodes < kFewest) return nodes;
  const auto all = static_cast<std::int64_t>(nodes);
  const std::int64_t part =
      percentage != 0 ? percentage : std::max(kAdaptive - all / kNodesPerPercent, kFewestPercent);
  return std::max(static_cast<std::size_t>(all * part / 100), kFewest);
}

std::size_t enough_nodes(const Profile& profile, std::size_t nodes) {
  if (profile.scores.empty()) return 1;
  return feasible_nodes_to_find(nodes, profile.arguments.percentage_of_nodes_to_score.value_or(0));
}

NodeSample::NodeSample(const Snapshot& snapshot) : order_(zone_by_zone(snapshot)) {}

std::vector<NodeIndex> best_of_any_walk(const std::vector<NodeIndex>& fitting, std::size_t enough,
                                        const BestAmong& best) {
  if (fitting.size() <= enough) return best(fitting);
  std::set<NodeIndex> out;
  for (std::size_t start = 0; start < fitting.size(); ++start) {
    std::vector<NodeIndex> seen;
    for (std::size_t i = 0; i < enough; ++i) seen.push_back(fitting[(start + i) % fitting.size()]);
    for (const NodeIndex n : best(seen)) out.insert(n);
  }
  return {out.begin(), out.end()};
}

/// A node is the best of some walk if it and those around it that are no better are `enough` in a row.
std::vector<NodeIndex> best_of_any_walk(const std::vector<NodeIndex>& fitting, std::size_t enough,
                                        const std::vector<std::int64_t>& scores) {
  const std::size_t all = fitting.size(), wanted = std::min(enough, all);
  const auto reach = [&](std::size_t from, std::size_t step) {
    std::size_t n = 0;
    while (n < wanted && scores[(from + (n + 1) * step) % all] <= scores[from]) ++n;
    return n;
  };
  std::vector<NodeIndex> out;
  for (std::size_t i = 0; i < all; ++i)
    if (reach(i, 1) + reach(i, all - 1) + 1 >= wanted) out.push_back(fitting[i]);
  return out;
}

}  // namespace etiage::placement
