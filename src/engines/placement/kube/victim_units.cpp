#include "engines/placement/kube/victim_units.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "engines/placement/kube/preemption.h"

namespace etiage::placement {
namespace {

using GroupOfPod = std::map<PodIndex, const PodGroup*>;

GroupOfPod groups_by_pod(const Snapshot& snapshot) {
  GroupOfPod out;
  for (const PodGroup& g : snapshot.input().pod_groups)
    for (const PodIndex p : g.members) out[p] = &g;
  return out;
}

VictimUnit unit_of(const Snapshot& snapshot, PodIndex pod, const PodGroup* group) {
  VictimUnit out;
  out.of_group = group != nullptr;
  out.priority = group && group->known ? group->priority : snapshot.shape_of(pod).priority;
  if (group && group->disrupted_as_one) {
    for (const PodIndex p : group->members)
      if (snapshot.record(p).node != kNoNode) out.pods.push_back(p);
  } else {
    out.pods = {pod};
  }
  for (const PodIndex p : out.pods)
    out.started = std::min(out.started, snapshot.record(p).started.value_or(Instant::max()));
  return out;
}

bool more_important(const VictimUnit& a, const VictimUnit& b) {
  return std::tuple(b.priority, b.of_group, b.pods.size(), a.started) <
         std::tuple(a.priority, a.of_group, a.pods.size(), b.started);
}

}  // namespace

std::vector<VictimUnit> victim_units(const Snapshot& snapshot, std::int32_t below) {
  const GroupOfPod groups = groups_by_pod(snapshot);
  std::set<const PodGroup*> seen;
  std::vector<VictimUnit> out;
  for (const NodeInfo& node : snapshot.nodes())
    for (const PodIndex p : node.pods) {
      const auto it = groups.find(p);
      const PodGroup* group = it == groups.end() ? nullptr : it->second;
      if (group && group->disrupted_as_one && !seen.insert(group).second) continue;
      if (VictimUnit unit = unit_of(snapshot, p, group); unit.priority < below)
        out.push_back(std::move(unit));
    }
  std::ranges::stable_sort(out, more_important);
  Budgets budgets(snapshot.input().disruption_budgets);
  std::ranges::stable_partition(out, [&](const VictimUnit& unit) {
    bool violates = false;
    for (const PodIndex p : unit.pods) violates |= budgets.would_violate(snapshot.pod(p));
    return violates;
  });
  return out;
}

}  // namespace etiage::placement
