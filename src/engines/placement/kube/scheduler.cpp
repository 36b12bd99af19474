#include "engines/placement/kube/scheduler.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/placement/kube/messages.h"

namespace etiage::placement {

std::string_view to_string(ScheduleOutcome outcome) {
  switch (outcome) {
    case ScheduleOutcome::kBound:
      return "bound";
    case ScheduleOutcome::kUnschedulable:
      return "unschedulable";
    case ScheduleOutcome::kPreempting:
      return "preempting";
    case ScheduleOutcome::kGated:
      return "gated";
  }
  return "";
}

Scheduler::Scheduler(Snapshot snapshot, Profiles profiles)
    : snapshot_(std::make_unique<Snapshot>(std::move(snapshot))),
      profiles_(std::make_unique<Profiles>(std::move(profiles))) {}

Result<Scheduler> Scheduler::make(SchedulingInput input, const SchedulerConfiguration& configuration) {
  Profiles profiles;
  for (const SchedulerProfile& p : configuration.profiles) {
    auto resolved = resolve_profile(p);
    if (!resolved) return std::unexpected(resolved.error());
    profiles.emplace(p.scheduler_name, std::move(*resolved));
  }
  auto snapshot = Snapshot::make(std::move(input));
  if (!snapshot) return std::unexpected(snapshot.error());
  return Scheduler(std::move(*snapshot), std::move(profiles));
}

std::vector<PodIndex> Scheduler::pending(ScheduleOrder order) const {
  std::vector<PodIndex> out;
  const auto& pods = snapshot_->input().pods;
  for (PodIndex p = 0; p < pods.size(); ++p) {
    const std::string& phase = pods[p].status.phase;
    if (pods[p].spec.node_name.empty() && phase != "Succeeded" && phase != "Failed" && !pods[p].meta.deleted)
      out.push_back(p);
  }
  if (order == ScheduleOrder::kQueue)
    std::ranges::stable_sort(out, [&](PodIndex a, PodIndex b) {
      const std::int32_t x = snapshot_->shape_of(a).priority, y = snapshot_->shape_of(b).priority;
      return x != y ? x > y
                    : pods[a].meta.created.value_or(Instant::max()) <
                          pods[b].meta.created.value_or(Instant::max());
    });
  return out;
}

ScheduleResult Scheduler::schedule(PodIndex pod, Detail detail) {
  ScheduleResult out{.pod = pod};
  const PodSpec& spec = snapshot_->pod(pod).spec;
  if (!spec.scheduling_gates.empty()) {
    out.outcome = ScheduleOutcome::kGated;
    out.message = fmt::format("waiting for scheduling gates: [{}]", fmt::join(spec.scheduling_gates, " "));
    return out;
  }
  const auto profile =
      profiles_->find(spec.scheduler_name.empty() ? "default-scheduler" : spec.scheduler_name);
  if (profile == profiles_->end()) {
    out.message = "no profile of the configuration answers to schedulerName " + spec.scheduler_name;
    return out;
  }
  if (snapshot_->nodes().empty()) {
    out.message = "no nodes available to schedule pods";
    return out;
  }
  if (detail == Detail::kNode)
    if (auto quick = choose_quickly(profile->second, pod)) return std::move(*quick);
  const FilterState filters(*snapshot_, profile->second, pod);
  filter(filters, out);
  if (!out.feasible.empty()) {
    choose(profile->second, out);
  } else {
    out.message = filters.refused_everywhere()
                      ? no_node_message(snapshot_->nodes().size(), *filters.refused_everywhere())
                      : no_node_message(snapshot_->nodes().size(), out.filtered);
    if (profile->second.preempts) preempt(filters, out);
  }
  return out;
}

std::optional<ScheduleResult> Scheduler::choose_quickly(const Profile& profile, PodIndex pod) {
  if (!quick_) {
    std::vector<const Profile*> all;
    for (const auto& [name, p] : *profiles_) all.push_back(&p);
    quick_ = std::make_unique<QuickChoice>(*snapshot_, all);
  }
  if (!quick_->knows(profile, pod)) return {};
  const auto node = quick_->best(pod);
  if (!node) return {};
  bind(pod, *node);
  return ScheduleResult{.pod = pod, .outcome = ScheduleOutcome::kBound, .bound_to = *node};
}

void Scheduler::bind(PodIndex pod, NodeIndex node) {
  snapshot_->bind(pod, node);
  if (quick_) quick_->changed(node);
}

void Scheduler::filter(const FilterState& filters, ScheduleResult& result) {
  for (const NodeIndex n : snapshot_->by_name()) {
    std::optional<Refusal> refused = filters.refused_everywhere();
    if (!refused && filters.leaves_out(n))
      refused = Refusal{Plugin::kNodeAffinity, {"node(s) didn't satisfy plugin(s) [NodeAffinity]"}, true};
    if (!refused) refused = filters.check(snapshot_->nodes()[n]);
    if (refused) {
      result.filtered.emplace(n, std::move(*refused));
    } else {
      result.feasible.push_back(n);
    }
  }
}

void Scheduler::choose(const Profile& profile, ScheduleResult& result) {
  result.scores = score_nodes(*snapshot_, profile, result.pod, result.feasible);
  const std::int64_t highest = *std::ranges::max_element(result.scores.total);
  for (std::size_t i = 0; i < result.feasible.size(); ++i)
    if (result.scores.total[i] == highest) result.best.push_back(result.feasible[i]);
  result.outcome = ScheduleOutcome::kBound;
  result.bound_to = result.best.front();
  bind(result.pod, result.bound_to);
}

void Scheduler::preempt(const FilterState& filters, ScheduleResult& result) {
  if (!snapshot_->shape_of(result.pod).may_preempt) {
    result.message += " preemption: not eligible due to preemptionPolicy=Never.";
    return;
  }
  std::vector<NodeIndex> resolvable;
  for (const NodeIndex n : snapshot_->by_name())
    if (!result.filtered.at(n).unresolvable) resolvable.push_back(n);
  PreemptionSearch search = search_preemption(*snapshot_, filters, result.pod, resolvable);
  if (search.candidates.empty()) {
    result.message += " preemption: " + no_preemption_message(snapshot_->nodes().size(), search.refused);
    return;
  }
  const PreemptionCandidate& chosen =
      search.candidates[best_candidates(*snapshot_, search.candidates).front()];
  result.outcome = ScheduleOutcome::kPreempting;
  result.nominated = result.bound_to = chosen.node;
  result.victims = chosen.victims;
  result.message +=
      fmt::format(" preemption: found a potential placement for pod on node {}, preempting {} victims",
                  snapshot_->node_name(chosen.node), chosen.victims.size());
  for (const PodIndex victim : chosen.victims) snapshot_->evict(victim);
  bind(result.pod, chosen.node);
  result.candidates = std::move(search.candidates);
}

}  // namespace etiage::placement
