// Gangs of kube-scheduler (pkg/scheduler/schedule_one_podgroup.go and plugins/gangscheduling, 1.37).

#include <algorithm>
#include <fmt/format.h>

#include "engines/placement/kube/scheduler.h"
#include "engines/placement/kube/victim_units.h"

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

Scheduler::GroupAttempt Scheduler::try_group(const PodGroup& group, const std::vector<PodIndex>& open,
                                             Detail detail) {
  GroupAttempt out;
  GroupProgress progress{group.min_count.value_or(1)};
  for (const PodIndex p : group.members) progress.scheduled += snapshot_->record(p).node != kNoNode;
  progress.remaining = static_cast<std::int32_t>(open.size());
  const Nominations before = nominations_;
  bool any = false;
  for (const PodIndex p : open) {
    if (progress.hopeless()) {
      out.results.push_back({.pod = p});
      continue;
    }
    out.results.push_back(attempt(p, detail, Preemption::kLeftToTheGroup));
    const bool fits = out.results.back().outcome == ScheduleOutcome::kBound;
    --progress.remaining;
    progress.scheduled += fits;
    any |= fits;
  }
  out.together = progress.reached() && any;
  if (out.together) return out;
  out.message = progress.reached() ? "pod group is unschedulable" : progress.message();
  nominations_ = before;
  for (ScheduleResult& r : out.results) {
    const bool fitted = r.outcome == ScheduleOutcome::kBound;
    if (fitted) unbind(r.pod);
    if (!fitted && !r.message.empty()) continue;  // it has a reason of its own
    r.outcome = ScheduleOutcome::kUnschedulable;
    r.bound_to = kNoNode;
    r.message = out.message;
  }
  return out;
}

/// The group's pods go to their nodes one after the other as the cluster is now; they are gone on return.
bool Scheduler::fits_with_all(const std::vector<ScheduleResult>& placed) {
  std::vector<PodIndex> there;
  bool fits = true;
  for (const ScheduleResult& r : placed) {
    if (r.bound_to == kNoNode) continue;
    const Profile& profile = *profile_of(r.pod);
    const FilterState filters(*snapshot_, profile, r.pod, nullptr, &nominations_);
    fits = !filters.check(snapshot_->nodes()[r.bound_to]);
    if (!fits) break;
    snapshot_->bind(r.pod, r.bound_to);
    there.push_back(r.pod);
  }
  for (const PodIndex p : there) snapshot_->evict(p);
  return fits;
}

Scheduler::GroupAttempt Scheduler::preempt_for(const PodGroup& group, const std::vector<PodIndex>& open) {
  if (!std::ranges::all_of(open, [&](PodIndex p) { return snapshot_->shape_of(p).may_preempt; }))
    return {.message = "not eligible due to preemptionPolicy=Never."};
  auto units = victim_units(*snapshot_, group.priority);
  if (units.empty()) return {.message = "No preemption victims found for incoming preemptor"};
  std::map<PodIndex, PodRecord> were;
  for (const VictimUnit& unit : units)
    for (const PodIndex p : unit.pods) {
      were.emplace(p, snapshot_->record(p));
      snapshot_->evict(p);
    }
  const auto put_back = [&](const VictimUnit& unit) {
    for (const PodIndex p : unit.pods) snapshot_->put_back(p, were.at(p));
  };
  GroupAttempt out = try_group(group, open, Detail::kEverything);
  for (const ScheduleResult& r : out.results)
    if (out.together && r.bound_to != kNoNode) unbind(r.pod);
  std::vector<PodIndex> victims;
  for (const VictimUnit& unit : units) {
    put_back(unit);
    if (!out.together || fits_with_all(out.results)) continue;
    for (const PodIndex p : unit.pods) snapshot_->evict(p);
    victims.insert(victims.end(), unit.pods.begin(), unit.pods.end());
  }
  ++changes_;
  quick_.reset();  // nodes have changed behind its back
  if (!out.together) return out;
  out.message = fmt::format("found a placement for podgroup, preempting {} victims", victims.size());
  for (ScheduleResult& r : out.results) {
    if (r.bound_to == kNoNode) continue;
    bind(r.pod, r.bound_to, nullptr);
    r.outcome = ScheduleOutcome::kPreempting;
    r.nominated = r.bound_to;
    r.victims = victims;
  }
  return out;
}

bool Scheduler::may_preempt_for(const PodGroup& group, const std::vector<PodIndex>& open) const {
  return group.may_preempt && !claims_ && std::ranges::all_of(open, [&](PodIndex p) {
           const Profile* profile = profile_of(p);
           return profile && profile->preempts;
         });
}

std::vector<ScheduleResult> Scheduler::schedule_group(const PodGroup& group, Detail detail) {
  std::vector<PodIndex> open;
  for (const PodIndex p : group.members)
    if (snapshot_->record(p).node == kNoNode && is_open(p)) open.push_back(p);
  std::vector<ScheduleResult> out;
  if (const std::string why = group_waits_for(group); !why.empty()) {
    for (const PodIndex p : open)
      out.push_back({.pod = p, .outcome = ScheduleOutcome::kGated, .message = why});
    return out;
  }
  GroupAttempt first = try_group(group, open, detail);
  std::map<PodIndex, ScheduleResult*> left;
  std::vector<PodIndex> waiting;  // the rest of a group that came together is tried again by itself
  for (ScheduleResult& r : first.results)
    if (r.bound_to == kNoNode) {
      left[r.pod] = &r;
      waiting.push_back(r.pod);
    }
  if (waiting.empty() || !may_preempt_for(group, waiting)) return std::move(first.results);
  const GroupAttempt made = preempt_for(group, waiting);
  // Reasons stay those of the attempt without preemption; those that fitted wait for the group.
  for (const auto& [pod, r] : left)
    if (!r->best.empty())
      r->message = fmt::format("{}{}, pod group preemption: {}",
                               made.together ? "" : "pod group is unschedulable, ", r->message, made.message);
  if (made.together)
    for (const ScheduleResult& r : made.results) {
      if (!r.nominated) continue;
      ScheduleResult& told = *left.at(r.pod);
      told.outcome = r.outcome;
      told.bound_to = r.bound_to;
      told.nominated = r.nominated;
      told.victims = r.victims;
    }
  return std::move(first.results);
}

}  // namespace etiage::placement
