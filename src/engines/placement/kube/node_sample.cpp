#include "engines/placement/kube/node_sample.h"

#include <algorithm>
#include <map>

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

NodeSample::NodeSample(const Snapshot& snapshot, std::int32_t percentage)
    : order_(zone_by_zone(snapshot)), enough_(feasible_nodes_to_find(order_.size(), percentage)) {}

}  // namespace etiage::placement
