// Gangs of kube-scheduler (pkg/scheduler/schedule_one_podgroup.go and plugins/gangscheduling, 1.37).

#include <algorithm>
#include <fmt/format.h>

#include "engines/placement/kube/scheduler.h"

namespace etiage::placement {

bool Scheduler::is_open(PodIndex pod) const {
  const Pod& p = snapshot_->pod(pod);
  return p.spec.node_name.empty() && p.status.phase != "Succeeded" && p.status.phase != "Failed" &&
         !p.meta.deleted;
}

const PodGroup* Scheduler::group_of(PodIndex pod) const {
  const auto& groups = snapshot_->input().pod_groups;
  const auto it = std::ranges::find_if(
      groups, [&](const PodGroup& g) { return std::ranges::find(g.members, pod) != g.members.end(); });
  return it == groups.end() ? nullptr : &*it;
}

std::string Scheduler::group_waits_for(const PodGroup& group) const {
  if (!group.known)
    return fmt::format("waiting for pods's pod group \"{}\" to appear in scheduling queue", group.name);
  if (group.min_count && static_cast<std::int32_t>(group.members.size()) < *group.min_count)
    return "waiting for minCount pods from a gang to appear in scheduling queue";
  return "";
}

void Scheduler::unbind(PodIndex pod) {
  const NodeIndex node = snapshot_->record(pod).node;
  if (claims_) claims_->release(snapshot_->pod(pod));
  snapshot_->evict(pod);
  ++changes_;
  if (quick_) quick_->changed(node);
}

std::vector<ScheduleResult> Scheduler::schedule_group(const PodGroup& group, Detail detail) {
  std::vector<PodIndex> open;
  GroupProgress progress{group.min_count.value_or(1)};
  for (const PodIndex p : group.members) {
    if (snapshot_->record(p).node != kNoNode)
      ++progress.scheduled;
    else if (is_open(p))
      open.push_back(p);
  }
  progress.remaining = static_cast<std::int32_t>(open.size());
  std::vector<ScheduleResult> out;
  if (const std::string why = group_waits_for(group); !why.empty()) {
    for (const PodIndex p : open)
      out.push_back({.pod = p, .outcome = ScheduleOutcome::kGated, .message = why});
    return out;
  }
  const Nominations before = nominations_;
  for (const PodIndex p : open) {
    if (progress.hopeless()) {
      out.push_back({.pod = p});
      continue;
    }
    out.push_back(attempt(p, detail, Preemption::kLeftToTheGroup));
    --progress.remaining;
    progress.scheduled += out.back().outcome == ScheduleOutcome::kBound;
  }
  if (progress.reached()) return out;
  nominations_ = before;
  for (ScheduleResult& r : out) {
    const bool fitted = r.outcome == ScheduleOutcome::kBound;
    if (fitted) unbind(r.pod);
    if (!fitted && !r.message.empty()) continue;  // it has a reason of its own
    r.outcome = ScheduleOutcome::kUnschedulable;
    r.bound_to = kNoNode;
    r.message = progress.message();
  }
  return out;
}

}  // namespace etiage::placement
