#include "engines/quota/assigner.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "engines/quota/match.h"

namespace etiage::quota {

namespace {

void add(std::vector<ResourceAmount>& list, ResourceId resource, Amount amount) {
  const auto it = std::lower_bound(list.begin(), list.end(), resource,
                                   [](const auto& r, ResourceId id) { return r.resource < id; });
  if (it != list.end() && it->resource == resource)
    it->amount = plus(it->amount, amount);
  else
    list.insert(it, {resource, amount});
}

}  // namespace

Assigner::Assigner(State& state, WorkloadId workload, std::int64_t now)
    : state_(state),
      id_(workload),
      workload_(state.workloads[workload.index()]),
      queue_(state.queues[workload_.queue.index()]),
      shape_(state.shape_of(workload)),
      now_(now) {
  // Quota may have become free since the last attempt: start from the first flavor again.
  if (workload_.last_tried && queue_.generation > workload_.last_tried->generation)
    workload_.last_tried.reset();
}

void Assigner::assign(Assignment& out, std::span<const std::int32_t> counts, const Nomination* nomination) {
  out.clear();
  for (std::size_t g = 0; g < shape_.groups.size(); ++g)
    if (!assign_group(out, g, counts, nomination)) return;
  if (out.mode() == Mode::kNoFit || !state_.release.gates.topology_aware_scheduling) return;
  if (shape_.explicit_topology || queue_.only_topology) place(out);
}

/// False where a pod set of the group found no flavor.
bool Assigner::assign_group(Assignment& out, std::size_t group, std::span<const std::int32_t> counts,
                            const Nomination* nomination) {
  const auto& members = shape_.groups[group];
  const std::size_t first = out.pod_sets.size();
  requests_.clear();
  for (const std::uint32_t m : members) {
    const PodSetShape& p = shape_.pod_sets[m];
    PodSetAssignment& a = out.pod_sets.emplace_back();
    a.count = counts.empty() || p.count == 0 ? p.count : counts[m];
    for (const ResourceAmount& r : p.per_pod) a.requests.push_back({r.resource, times(r.amount, a.count)});
    if (queue_.pods_group >= 0) add(a.requests, state_.pods, a.count);
    for (const ResourceAmount& r : a.requests) add(requests_, r.resource, r.amount);
  }
  group_picks_.clear();
  group_reasons_.clear();
  for (const ResourceAmount& r : requests_) {
    const std::int32_t rg = queue_.group_of(r.resource);
    if (rg < 0 && (r.amount == 0 ||
                   (state_.configuration.ignore_undeclared && state_.release.gates.quota_check_strategy)))
      continue;
    const auto has = [&](const Pick& p) { return p.resource == r.resource; };
    if (std::any_of(group_picks_.begin(), group_picks_.end(), has)) continue;
    const bool found = find_flavor(out, group, rg, r.resource, nomination);
    if (!found) {
      group_picks_.clear();
      group_reasons_ = found_reasons_;
      break;
    }
    group_picks_.insert(group_picks_.end(), best_picks_.begin(), best_picks_.end());
    group_reasons_.insert(group_reasons_.end(), found_reasons_.begin(), found_reasons_.end());
  }
  bool all_found = true;
  for (std::size_t i = 0; i < members.size(); ++i) {
    PodSetAssignment& a = out.pod_sets[first + i];
    a.reasons = group_reasons_;
    for (const Pick& p : group_picks_) {
      const auto asks = std::find_if(a.requests.begin(), a.requests.end(),
                                     [&](const auto& r) { return r.resource == p.resource; });
      if (asks == a.requests.end()) continue;
      a.picks.push_back(p);
      out.borrowing = std::max(out.borrowing, p.borrow);
      if (p.column != kNoColumn) out.add_usage(p.column, asks->amount);
    }
    all_found &= a.requests.empty() || !a.picks.empty();
  }
  return all_found;
}

std::size_t Assigner::first_flavor(std::uint32_t pod_set, ResourceId resource) const {
  if (!state_.release.gates.flavor_fungibility || !workload_.last_tried ||
      pod_set >= workload_.last_tried->flavors.size())
    return 0;
  for (const auto& [r, tried] : workload_.last_tried->flavors[pod_set])
    if (r == resource) return static_cast<std::size_t>(tried + 1);
  return 0;
}

bool Assigner::nominated(const std::vector<std::uint32_t>& pod_sets, const Nomination& nomination,
                         ResourceId resource, FlavorId flavor) const {
  return std::any_of(pod_sets.begin(), pod_sets.end(), [&](std::uint32_t p) {
    return p < nomination.size() && std::find(nomination[p].begin(), nomination[p].end(),
                                              std::pair(resource, flavor)) != nomination[p].end();
  });
}

/// The best flavor for all resources of the group that covers `resource`, into best_picks_; what spoke
/// against the others into found_reasons_. False: none.
bool Assigner::find_flavor(const Assignment& so_far, std::size_t group, std::int32_t resource_group,
                           ResourceId resource, const Nomination* nomination) {
  best_picks_.clear();
  found_reasons_.clear();
  if (resource_group < 0) {
    found_reasons_.push_back({.kind = Reason::Kind::kUnavailable, .resource = resource});
    return false;
  }
  const QueueGroup& rg = queue_.groups[static_cast<std::size_t>(resource_group)];
  covered_.clear();
  for (const ResourceAmount& r : requests_)
    if (std::binary_search(rg.covered.begin(), rg.covered.end(), r.resource)) covered_.push_back(r);
  const bool fungible = state_.release.gates.flavor_fungibility;
  Grade best{Possibility::kNoFit, std::numeric_limits<std::int32_t>::max()};
  std::int32_t attempted = -1;
  for (std::size_t f = first_flavor(shape_.groups[group][0], resource); f < rg.flavors.size(); ++f) {
    attempted = static_cast<std::int32_t>(f);
    if (nomination && !nominated(shape_.groups[group], *nomination, resource, rg.flavors[f])) {
      found_reasons_.push_back(
          {.text =
               fmt::format("skipping flavor {} as it is not found in the nomination mapping for resource {}",
                           state_.flavor_names[rg.flavors[f]], state_.resources[resource])});
      continue;
    }
    if (const std::string* fault = flavor_fault(group, resource_group, f)) {
      found_reasons_.push_back({.text = *fault});
      continue;
    }
    const Grade grade = try_flavor(so_far, rg, f);
    if (fungible ? !look_further(grade) : grade.possibility == Possibility::kFit) {
      best = grade;
      best_picks_.swap(picks_);
      break;
    }
    if (fungible ? preferred(grade, best) : grade.possibility > best.possibility) {
      best = grade;
      best_picks_.swap(picks_);
    }
  }
  if (fungible) {
    const bool all_tried = attempted == static_cast<std::int32_t>(rg.flavors.size()) - 1;
    for (Pick& p : best_picks_) p.tried = all_tried ? -1 : attempted;
  }
  if (best.possibility == Possibility::kFit) found_reasons_.clear();
  return !best_picks_.empty();
}

/// The worst of its resources; picks_ holds the flavor for each of them.
Assigner::Grade Assigner::try_flavor(const Assignment& so_far, const QueueGroup& rg, std::size_t flavor) {
  picks_.clear();
  Grade worst;
  for (const ResourceAmount& r : covered_) {
    const auto slot = static_cast<std::size_t>(
        std::lower_bound(rg.covered.begin(), rg.covered.end(), r.resource) - rg.covered.begin());
    const Column column = rg.column(flavor, slot);
    const Grade g = grade(so_far, column, rg.flavors[flavor], r);
    if (preferred(worst, g)) worst = g;
    if (worst.possibility == Possibility::kNoFit) break;  // the others need not be asked
    const Mode mode = g.possibility == Possibility::kFit ? Mode::kFit : Mode::kPreempt;
    picks_.push_back({r.resource, rg.flavors[flavor], column, mode, 0, g.borrow});
  }
  return worst;
}

Assigner::Grade Assigner::grade(const Assignment& so_far, Column column, FlavorId flavor,
                                const ResourceAmount& request) {
  const auto earlier = std::find_if(so_far.usage.begin(), so_far.usage.end(),
                                    [&](const auto& u) { return u.column == column; });
  const Amount assumed = earlier == so_far.usage.end() ? 0 : earlier->amount;
  const Amount amount = plus(assumed, request.amount);
  const Amount most = column == kNoColumn ? 0 : state_.tree.potential(queue_.node, column);
  if (amount > most) {
    found_reasons_.push_back(
        {Reason::Kind::kExceedsMax, flavor, request.resource, assumed, request.amount, most, ""});
    return {Possibility::kNoFit, 0};
  }
  if (column == kNoColumn) return {};  // nothing is asked of a flavor without quota for it
  const Amount available = std::max<Amount>(0, state_.tree.available(queue_.node, column));
  const auto [height, below_root] = state_.tree.lowest_fitting_height(queue_.node, column, amount);
  if (amount <= available) return {Possibility::kFit, height};
  found_reasons_.push_back(
      {Reason::Kind::kMoreNeeded, flavor, request.resource, minus(amount, available), 0, 0, ""});
  const ClusterQueuePreemption& policy = queue_.spec->preemption;
  const bool while_borrowing =
      policy.borrow_within_cohort ||
      (state_.fair_sharing() && policy.reclaim_within_cohort != PreemptionPolicy::kNever);
  if (amount <= state_.tree.nominal(queue_.node, column) || below_root || while_borrowing)
    return simulate(column, amount);
  return {Possibility::kNoFit, height};
}

/// Whether preemption could make room for this one resource, and how far away its quota would come from then.
Assigner::Grade Assigner::simulate(Column column, Amount amount) {
  const ColumnAmount request{column, amount};
  const PreemptionQuestion question{id_, workload_.queue, {&column, 1}, {&request, 1}, nullptr, now_};
  found_victims_ = find_targets(state_, question);
  searched_ = request;
  const std::vector<Target>& victims = found_victims_;
  const UndoLog::Mark mark = state_.tree.log().mark();
  for (const Target& t : victims) state_.remove_usage(t.workload);
  const std::int32_t height = state_.tree.lowest_fitting_height(queue_.node, column, amount).first;
  state_.tree.log().revert_to(mark);
  if (victims.empty()) return {Possibility::kNoCandidates, height};
  const auto own = [&](const Target& t) {
    return state_.workloads[t.workload.index()].queue == workload_.queue;
  };
  return {std::any_of(victims.begin(), victims.end(), own) ? Possibility::kPreempt : Possibility::kReclaim,
          height};
}

bool Assigner::preferred(const Grade& a, const Grade& b) const {
  if (a.possibility == Possibility::kNoFit) return false;
  if (b.possibility == Possibility::kNoFit) return true;
  if (queue_.spec->fungibility.preference == FungibilityPreference::kPreemptionOverBorrowing)
    return a.borrow != b.borrow ? a.borrow < b.borrow : a.possibility > b.possibility;
  return a.possibility != b.possibility ? a.possibility > b.possibility : a.borrow < b.borrow;
}

bool Assigner::look_further(const Grade& g) const {
  const FlavorFungibility& policy = queue_.spec->fungibility;
  if (g.possibility == Possibility::kNoFit || g.possibility == Possibility::kNoCandidates) return true;
  if (g.possibility != Possibility::kFit && policy.preempt_tries_next) return true;
  return g.borrow != 0 && policy.borrow_tries_next;
}

const std::string* Assigner::flavor_fault(std::size_t group, std::int32_t resource_group,
                                          std::size_t flavor) {
  if (queue_.plain && !shape_.explicit_topology) return nullptr;
  const std::uint64_t key = (std::uint64_t{workload_.shape.value} << 32) | (std::uint64_t{group} << 16) |
                            static_cast<std::uint64_t>(resource_group);
  FlavorFit& fit = queue_.fits[key];
  const QueueGroup& rg = queue_.groups[static_cast<std::size_t>(resource_group)];
  if (fit.faults.empty())
    for (const FlavorId f : rg.flavors) fit.faults.push_back(check_flavor(shape_.groups[group], rg, f));
  return fit.faults[flavor].empty() ? nullptr : &fit.faults[flavor];
}

/// Why the flavor cannot take the pod sets, in Kueue's words; empty: it can.
std::string Assigner::check_flavor(const std::vector<std::uint32_t>& pod_sets, const QueueGroup& rg,
                                   FlavorId flavor) const {
  const std::string& name = state_.flavor_names[flavor];
  const ResourceFlavor* spec = state_.flavors[flavor.index()].spec;
  if (!spec) return fmt::format("flavor {} not found", name);
  for (const std::uint32_t p : pod_sets) {
    const PodSetShape& pod_set = shape_.pod_sets[p];
    if (state_.release.gates.topology_aware_scheduling)
      if (std::string fault = check_topology(pod_set, rg, flavor); !fault.empty()) return fault;
    const PodSpec& pod = pod_set.spec->spec;
    if (const Taint* taint = untolerated_taint(spec->node_taints, pod.tolerations, spec->tolerations))
      return fmt::format("untolerated taint {{{} {} {} <nil>}} in flavor {}", taint->key, taint->value,
                         to_string(taint->effect), name);
    if (!matches_flavor(pod, spec->node_labels,
                        state_.release.after_017() ? spec->node_labels : rg.label_keys))
      return fmt::format("flavor {} doesn't match node affinity", name);
  }
  return "";
}

std::vector<Target> Assigner::targets(Assignment& assignment) {
  std::vector<Column> contested;
  for (const PodSetAssignment& p : assignment.pod_sets)
    for (const Pick& pick : p.picks)
      if (pick.mode == Mode::kPreempt) contested.push_back(pick.column);
  std::sort(contested.begin(), contested.end());
  contested.erase(std::unique(contested.begin(), contested.end()), contested.end());
  // Since 0.18 the implicit request for `pods` is not counted here.
  std::vector<ColumnAmount> requests;
  for (const ColumnAmount& u : assignment.usage)
    if (u.amount != 0 &&
        !(state_.release.after_017() && state_.tree.pair_of(queue_.node, u.column).second == state_.pods))
      requests.push_back(u);
  TopologyRequests topologies;
  if (state_.release.gates.topology_aware_scheduling && (shape_.explicit_topology || queue_.only_topology))
    topologies = topology_requests(assignment);
  const bool searched = contested.size() == 1 && requests.size() == 1 && requests[0] == searched_ &&
                        contested[0] == searched_.column && topologies.topologies.empty();
  if (searched) return found_victims_;
  return find_targets(state_, {id_, workload_.queue, contested, requests, &topologies, now_});
}

}  // namespace etiage::quota
