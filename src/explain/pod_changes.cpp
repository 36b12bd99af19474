#include "explain/pod_changes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engines/dra/explain.h"
#include "explain/node_mending.h"
#include "explain/pod_placement.h"

namespace etiage::explain {
namespace {

using placement::NodeIndex;
using placement::PodIndex;
using placement::ScheduleOutcome;
using placement::ScheduleResult;
using placement::Snapshot;

constexpr std::size_t kNodesOfAReason = 2, kReasons = 8, kPriorities = 16, kShown = 4;
constexpr std::int32_t kHighestUserPriority = 1'000'000'000;

/// The node has none of something that the pod asks for, whatever it lends to others.
bool is_of_another_kind(const Snapshot& snapshot, PodIndex pod, NodeIndex node) {
  return std::ranges::any_of(snapshot.shape_of(pod).requests, [&](const auto& r) {
    return r.second > 0 && snapshot.nodes()[node].allocatable_of(r.first) == 0;
  });
}

/// A few nodes of each reason, those that lack least first; nodes of another kind only where there are no
/// others.
std::vector<std::vector<NodeIndex>> nodes_to_mend(const Snapshot& snapshot, const ScheduleResult& tried) {
  std::map<std::string, std::vector<std::pair<double, NodeIndex>>> by_reason;
  const bool any_alike = std::ranges::any_of(
      snapshot.by_name(), [&](NodeIndex n) { return !is_of_another_kind(snapshot, tried.pod, n); });
  for (const NodeIndex n : snapshot.by_name()) {
    const auto it = tried.filtered.find(n);
    if (it == tried.filtered.end() || it->second.plugin == placement::Plugin::kDynamicResources) continue;
    if (any_alike && is_of_another_kind(snapshot, tried.pod, n)) continue;
    by_reason[fmt::format("{}", fmt::join(it->second.reasons, ", "))].emplace_back(
        missing_share(snapshot, tried.pod, n), n);
  }
  std::vector<std::vector<NodeIndex>> out;
  for (auto& [reason, nodes] : by_reason) {
    if (out.size() == kReasons) break;
    std::ranges::stable_sort(nodes, {}, &std::pair<double, NodeIndex>::first);
    out.emplace_back();
    for (std::size_t i = 0; i < std::min(nodes.size(), kNodesOfAReason); ++i)
      out.back().push_back(nodes[i].second);
  }
  return out;
}

/// Where claims alone stand in the way: changes of one claim, tried with the allocator.
std::vector<PlacementChange> claim_changes(const SchedulingWorld& world, const ScheduleResult& tried) {
  std::vector<const Node*> nodes;
  for (const auto& [n, refusal] : tried.filtered)
    if (refusal.plugin == placement::Plugin::kDynamicResources) nodes.push_back(&world.input.nodes[n]);
  dra::ClaimBook book(world.input.dra, world.devices);
  const auto claims = book.claims_of(world.input.pods[tried.pod]);
  if (nodes.empty() || !claims) return {};
  std::vector<const ResourceClaim*> short_of;
  std::vector<PlacementChange> out;
  for (const ResourceClaim* claim : *claims) {
    if (claim->allocation) continue;
    const auto why = dra::explain_claim(book.allocator(), book.in_use(), *claim, nodes);
    if (why.outcome == dra::Attempt::Outcome::kAllocated) continue;
    short_of.push_back(claim);
    for (const dra::Change& c : why.changes)
      out.push_back({{fmt::format("claim {}: {}", claim->meta.name, c.what)}, c.node});
  }
  if (short_of.size() > 1) out.clear();  // one change would not do
  return out;
}

/// The lowest priority with which others would make way.
std::optional<PlacementChange> outrank(const SchedulingWorld& world, const Snapshot& snapshot,
                                       const ScheduleResult& tried) {
  std::set<std::int32_t> priorities;
  const placement::PodShape& shape = snapshot.shape_of(tried.pod);
  for (const placement::NodeInfo& node : snapshot.nodes())
    for (const PodIndex p : node.pods)
      if (snapshot.shape_of(p).priority < kHighestUserPriority)
        priorities.insert(snapshot.shape_of(p).priority);
  std::vector<std::int32_t> wanted;
  if (!shape.may_preempt) wanted.push_back(shape.priority);
  for (const std::int32_t p : priorities)
    if (p >= shape.priority && wanted.size() < kPriorities) wanted.push_back(p + 1);
  SchedulingWorld other = world;
  PodSpec& spec = other.input.pods[tried.pod].spec;
  spec.priority_class.clear();
  spec.preemption_policy = "PreemptLowerPriority";
  for (const std::int32_t priority : wanted) {
    spec.priority = priority;
    auto scheduler = placement::Scheduler::make(other.input, other.configuration, other.devices);
    if (!scheduler) return {};
    const ScheduleResult result = scheduler->schedule(tried.pod);
    if (result.outcome != ScheduleOutcome::kPreempting) continue;
    std::vector<std::string> victims;
    for (const PodIndex v : result.victims)
      victims.push_back(snapshot.pod(v).meta.ns + "/" + snapshot.pod(v).meta.name);
    const std::string what = priority == shape.priority
                                 ? "preemptionPolicy PreemptLowerPriority instead of Never"
                                 : fmt::format("a priority above {}", priority - 1);
    return PlacementChange{{fmt::format("{}: it preempts {}", what, fmt::join(victims, ", "))},
                           snapshot.node_name(*result.nominated)};
  }
  return {};
}

}  // namespace

std::vector<PlacementChange> changes_that_place(const SchedulingWorld& world, const Snapshot& snapshot,
                                                const ScheduleResult& tried) {
  std::vector<PlacementChange> out;
  const auto add = [&](std::optional<PlacementChange> change) {
    const bool known =
        change && std::ranges::any_of(out, [&](const auto& c) { return c.steps == change->steps; });
    if (change && !known) out.push_back(std::move(*change));
  };
  for (const auto& alike : nodes_to_mend(snapshot, tried))
    for (const Shortfall s : {Shortfall::kAskForLess, Shortfall::kMoreOnNode})
      for (const NodeIndex n : alike)
        if (auto change = mend_node(world, tried.pod, n, s)) {
          add(std::move(change));
          break;
        }
  for (PlacementChange& c : claim_changes(world, tried)) add(std::move(c));
  add(outrank(world, snapshot, tried));
  std::ranges::stable_sort(out, {}, [](const PlacementChange& c) { return c.steps.size(); });
  if (out.size() > kShown) out.resize(kShown);
  return out;
}

}  // namespace etiage::explain
