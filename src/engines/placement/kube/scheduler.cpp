#include "engines/placement/kube/scheduler.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

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
      profiles_(std::make_unique<Profiles>(std::move(profiles))),
      nominations_(*snapshot_) {}

Result<Scheduler> Scheduler::make(SchedulingInput input, const SchedulerConfiguration& configuration,
                                  const dra::Behaviour& devices) {
  Profiles profiles;
  for (const SchedulerProfile& p : configuration.profiles) {
    auto resolved = resolve_profile(p);
    if (!resolved) return std::unexpected(resolved.error());
    auto& percentage = resolved->arguments.percentage_of_nodes_to_score;
    if (!percentage) percentage = configuration.percentage_of_nodes_to_score;
    profiles.emplace(p.scheduler_name, std::move(*resolved));
  }
  auto snapshot = Snapshot::make(std::move(input));
  if (!snapshot) return std::unexpected(snapshot.error());
  Scheduler out(std::move(*snapshot), std::move(profiles));
  const SchedulingInput& kept = out.snapshot_->input();
  const bool claims = !kept.dra.classes.empty() ||
                      std::ranges::any_of(kept.pods, [](const Pod& p) { return !p.spec.claims.empty(); });
  if (claims) out.claims_ = std::make_unique<dra::ClaimBook>(kept.dra, devices);
  return out;
}

std::vector<PodIndex> Scheduler::pending(ScheduleOrder order) const {
  std::vector<PodIndex> out;
  const auto& pods = snapshot_->input().pods;
  for (PodIndex p = 0; p < pods.size(); ++p)
    if (is_open(p)) out.push_back(p);
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
  return attempt(pod, detail, Preemption::kAllowed);
}

const Profile* Scheduler::profile_of(PodIndex pod) const {
  const std::string& name = snapshot_->pod(pod).spec.scheduler_name;
  const auto it = profiles_->find(name.empty() ? "default-scheduler" : name);
  return it == profiles_->end() ? nullptr : &it->second;
}

ScheduleResult Scheduler::attempt(PodIndex pod, Detail detail, Preemption preemption) {
  ScheduleResult out{.pod = pod};
  const PodSpec& spec = snapshot_->pod(pod).spec;
  if (!spec.scheduling_gates.empty()) {
    out.outcome = ScheduleOutcome::kGated;
    out.message = fmt::format("waiting for scheduling gates: [{}]", fmt::join(spec.scheduling_gates, " "));
    return out;
  }
  const Profile* profile = profile_of(pod);
  if (!profile) {
    out.message = "no profile of the configuration answers to schedulerName " + spec.scheduler_name;
    return out;
  }
  std::optional<PodDevices> claimed;
  if (claims_ && profile->filters_with(Plugin::kDynamicResources)) claimed.emplace(*claims_, *snapshot_, pod);
  if (claimed && !claimed->waits_for().empty()) {
    out.outcome = ScheduleOutcome::kGated;
    out.message = claimed->waits_for();
    return out;
  }
  if (snapshot_->nodes().empty()) {
    out.message = "no nodes available to schedule pods";
    return out;
  }
  PodDevices* devices = claimed && !claimed->idle() ? &*claimed : nullptr;
  const bool brief = detail == Detail::kNode && !devices && preemption == Preemption::kAllowed;
  if (brief)
    if (auto quick = choose_quickly(*profile, pod)) return std::move(*quick);
  const FilterState filters(*snapshot_, *profile, pod, devices, &nominations_);
  if (sample_ && !filters.refused_everywhere()) {
    if (detail == Detail::kEverything) out.possible = possible_nodes(*profile, filters, devices, pod);
    filter_sample(filters, enough_nodes(*profile, sample_->size()), out);
  } else {
    filter(filters, out);
  }
  if (devices && !devices->fault().empty()) {
    out.feasible.clear();
    out.message = fmt::format("running \"{}\" filter plugin: {}", to_string(Plugin::kDynamicResources),
                              devices->fault());
  } else if (!out.feasible.empty()) {
    choose(*profile, devices, out);
  } else {
    out.message = filters.refused_everywhere()
                      ? no_node_message(snapshot_->nodes().size(), *filters.refused_everywhere())
                      : no_node_message(snapshot_->nodes().size(), out.filtered);
    if (profile->preempts && preemption == Preemption::kAllowed) preempt(filters, devices, out);
  }
  if (detail == Detail::kNode) out.filtered.clear();
  if (brief && out.outcome == ScheduleOutcome::kUnschedulable && quick().knows(*profile, pod))
    refused_.insert_or_assign(snapshot_->record(pod).shape, RefusedShape{changes_, out});
  return out;
}

QuickChoice& Scheduler::quick() {
  if (!quick_) {
    std::vector<const Profile*> all;
    for (const auto& [name, p] : *profiles_) all.push_back(&p);
    quick_ = std::make_unique<QuickChoice>(*snapshot_, all);
  }
  return *quick_;
}

std::optional<ScheduleResult> Scheduler::choose_quickly(const Profile& profile, PodIndex pod) {
  if (sample_ || !nominations_.empty() || !quick().knows(profile, pod)) return {};
  const auto node = quick_->best(pod);
  if (!node) {
    const auto known = refused_.find(snapshot_->record(pod).shape);
    if (known == refused_.end() || known->second.at != changes_) return {};
    known->second.result.pod = pod;
    return known->second.result;
  }
  bind(pod, *node, nullptr);
  return ScheduleResult{.pod = pod, .outcome = ScheduleOutcome::kBound, .bound_to = *node};
}

void Scheduler::bind(PodIndex pod, NodeIndex node, PodDevices* devices) {
  if (devices) devices->bind(node);
  nominations_.remove(pod);
  ++changes_;
  snapshot_->bind(pod, node);
  if (quick_) quick_->changed(node);
}

/// kube-scheduler keeps the plugin that refused the promised node in the same set as those of PreFilter.
std::string Scheduler::outside_prefilter(const FilterState& filters, NodeIndex promised) const {
  std::set<std::string_view> plugins{to_string(Plugin::kNodeAffinity)};
  if (promised != kNoNode)
    if (const auto refused = filters.check(snapshot_->nodes()[promised]); refused && refused->plugin)
      plugins.insert(to_string(*refused->plugin));
  return fmt::format("node(s) didn't satisfy plugin(s) [{}]", fmt::join(plugins, " "));
}

std::optional<Refusal> Scheduler::judge(const FilterState& filters, NodeIndex node,
                                        NodeIndex promised) const {
  if (filters.refused_everywhere()) return filters.refused_everywhere();
  // A promised node is looked at first, whatever PreFilter restricts the pod to.
  if (node != promised && filters.leaves_out(node))
    return Refusal{Plugin::kNodeAffinity, {outside_prefilter(filters, promised)}, true};
  return filters.check(snapshot_->nodes()[node]);
}

void Scheduler::filter(const FilterState& filters, ScheduleResult& result) {
  const NodeIndex promised = nominations_.node_of(result.pod);
  for (const NodeIndex n : snapshot_->by_name()) {
    if (auto refused = judge(filters, n, promised))
      result.filtered.emplace(n, std::move(*refused));
    else
      result.feasible.push_back(n);
  }
}

/// A promised node that fits is taken. Else the walk ends at the first node that would be one too many; nodes
/// that PreFilter leaves out are no part of it.
void Scheduler::filter_sample(const FilterState& filters, std::size_t enough, ScheduleResult& result) {
  const NodeIndex promised = nominations_.node_of(result.pod);
  if (promised != kNoNode && !judge(filters, promised, promised)) {
    result.feasible = {promised};
    return;
  }
  std::size_t left_out = 0;
  for (std::size_t step = 0; step < sample_->size(); ++step) {
    const NodeIndex n = sample_->at(step);
    left_out += filters.leaves_out(n);
    if (auto refused = judge(filters, n, promised))
      result.filtered.emplace(n, std::move(*refused));
    else if (result.feasible.size() < enough)
      result.feasible.push_back(n);
    else
      break;
  }
  sample_->advance(result.feasible.size() + result.filtered.size() - left_out);
  std::ranges::sort(result.feasible, {},
                    [&](NodeIndex n) -> const std::string& { return snapshot_->node_name(n); });
}

std::vector<NodeIndex> Scheduler::best_among(const Profile& profile, const PodDevices* devices, PodIndex pod,
                                             const std::vector<NodeIndex>& nodes) {
  if (nodes.empty()) return {};
  const ScoreTable table = score_nodes(*snapshot_, profile, pod, devices, nodes);
  const std::int64_t highest = *std::ranges::max_element(table.total);
  std::vector<NodeIndex> out;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (table.total[i] == highest) out.push_back(nodes[i]);
  return out;
}

std::vector<NodeIndex> Scheduler::possible_nodes(const Profile& profile, const FilterState& filters,
                                                 const PodDevices* devices, PodIndex pod) {
  const NodeIndex promised = nominations_.node_of(pod);
  if (promised != kNoNode && !judge(filters, promised, promised)) return {promised};
  std::vector<NodeIndex> fitting;
  for (const NodeIndex n : sample_->order())
    if (!judge(filters, n, promised)) fitting.push_back(n);
  if (fitting.empty()) return {};
  const std::size_t enough = enough_nodes(profile, sample_->size());
  std::vector<NodeIndex> out;
  if (!devices && !quick().depends_on_others(profile, pod))
    out = best_of_any_walk(fitting, enough, score_nodes(*snapshot_, profile, pod, devices, fitting).total);
  else
    out = best_of_any_walk(fitting, enough, [&](const std::vector<NodeIndex>& seen) {
      return best_among(profile, devices, pod, seen);
    });
  std::ranges::sort(out, {}, [&](NodeIndex n) -> const std::string& { return snapshot_->node_name(n); });
  return out;
}

void Scheduler::choose(const Profile& profile, PodDevices* devices, ScheduleResult& result) {
  const NodeIndex promised = nominations_.node_of(result.pod);
  if (std::ranges::find(result.feasible, promised) != result.feasible.end()) result.feasible = {promised};
  result.scores = score_nodes(*snapshot_, profile, result.pod, devices, result.feasible);
  const std::int64_t highest = *std::ranges::max_element(result.scores.total);
  for (std::size_t i = 0; i < result.feasible.size(); ++i)
    if (result.scores.total[i] == highest) result.best.push_back(result.feasible[i]);
  result.outcome = ScheduleOutcome::kBound;
  result.bound_to = result.best.front();
  bind(result.pod, result.bound_to, devices);
}

namespace {

/// Its eviction by a preemption is on its way.
bool leaves_by_preemption(const Pod& pod) {
  return pod.meta.deleted && std::ranges::any_of(pod.status.conditions, [](const Condition& c) {
           return c.type == "DisruptionTarget" && c.status == "True" && c.reason == "PreemptionByScheduler";
         });
}

}  // namespace

std::string Scheduler::ineligible_to_preempt(const ScheduleResult& result) const {
  const PodShape& shape = snapshot_->shape_of(result.pod);
  if (!shape.may_preempt) return "not eligible due to preemptionPolicy=Never.";
  const NodeIndex promised = nominations_.node_of(result.pod);
  if (promised == kNoNode || result.filtered.at(promised).unresolvable) return "";
  const bool leaving = std::ranges::any_of(snapshot_->nodes()[promised].pods, [&](PodIndex p) {
    return snapshot_->shape_of(p).priority < shape.priority && leaves_by_preemption(snapshot_->pod(p));
  });
  return leaving ? "not eligible due to a terminating pod on the nominated node." : "";
}

void Scheduler::preempt(const FilterState& filters, PodDevices* devices, ScheduleResult& result) {
  if (const std::string why = ineligible_to_preempt(result); !why.empty()) {
    result.message += " preemption: " + why;
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
  nominations_.yield_to(*snapshot_, result.pod, chosen.node);
  for (const PodIndex victim : chosen.victims) {
    if (claims_) claims_->release(snapshot_->pod(victim));
    snapshot_->evict(victim);
  }
  bind(result.pod, chosen.node, devices);
  result.candidates = std::move(search.candidates);
}

}  // namespace etiage::placement
