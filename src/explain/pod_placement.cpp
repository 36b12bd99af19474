#include "explain/pod_placement.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "explain/amounts.h"

namespace etiage::explain {
namespace {

using placement::NodeIndex;
using placement::NodeInfo;
using placement::Refusal;
using placement::ScheduleResult;
using placement::Snapshot;

std::vector<RefusedNodes> grouped(const Snapshot& snapshot, const ScheduleResult& result) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> groups;
  for (const NodeIndex n : snapshot.by_name()) {
    const auto it = result.filtered.find(n);
    if (it == result.filtered.end()) continue;
    const std::string plugin(it->second.plugin ? to_string(*it->second.plugin) : "");
    for (const std::string& reason : it->second.reasons)
      groups[{plugin, reason}].push_back(snapshot.node_name(n));
  }
  std::vector<RefusedNodes> out;
  for (auto& [key, nodes] : groups) out.push_back({key.first, key.second, std::move(nodes)});
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) { return a.nodes.size() > b.nodes.size(); });
  return out;
}

/// What of each resource is missing on a node that refuses for resources alone.
struct Shortage {
  NodeIndex node = placement::kNoNode;
  std::vector<std::string> parts;
  double share = 0;  ///< the worst of missing / requested
};

Shortage shortage_on(const Snapshot& snapshot, placement::PodIndex pod, const NodeInfo& node) {
  Shortage out{node.index, {}, 0};
  for (const auto& [r, asked] : snapshot.shape_of(pod).requests) {
    const std::int64_t missing = asked - (node.allocatable_of(r) - node.requested_of(r));
    if (asked <= 0 || missing <= 0) continue;
    out.parts.push_back(amount_text(r, missing, snapshot.resources().name(r)));
    out.share = std::max(out.share, static_cast<double>(missing) / static_cast<double>(asked));
  }
  return out;
}

std::string nearest_node(const Snapshot& snapshot, const ScheduleResult& result) {
  std::optional<Shortage> best;
  for (const NodeIndex n : snapshot.by_name()) {
    const auto it = result.filtered.find(n);
    if (it == result.filtered.end() || it->second.plugin != placement::Plugin::kNodeResourcesFit) continue;
    Shortage s = shortage_on(snapshot, result.pod, snapshot.nodes()[n]);
    const auto rank = [](const Shortage& x) { return std::pair(x.parts.size(), x.share); };
    if (!s.parts.empty() && (!best || rank(s) < rank(*best))) best = std::move(s);
  }
  if (!best) return "";
  return fmt::format("node {} comes nearest: {} more, and the pod fits there", snapshot.node_name(best->node),
                     fmt::join(best->parts, " and "));
}

}  // namespace

double missing_share(const Snapshot& snapshot, placement::PodIndex pod, NodeIndex node) {
  return shortage_on(snapshot, pod, snapshot.nodes()[node]).share;
}

PodPlacementReasons explain_placement(const Snapshot& snapshot, const ScheduleResult& result) {
  PodPlacementReasons out{result.message, grouped(snapshot, result), ""};
  if (result.outcome == placement::ScheduleOutcome::kBound)
    out.statement = fmt::format("kube-scheduler puts it on node {}, the best of {}",
                                snapshot.node_name(result.bound_to), result.feasible.size());
  if (result.outcome == placement::ScheduleOutcome::kUnschedulable)
    out.nearest = nearest_node(snapshot, result);
  return out;
}

}  // namespace etiage::explain
