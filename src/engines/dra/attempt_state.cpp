#include "engines/dra/attempt_state.h"

#include <algorithm>

#include "engines/dra/taints.h"

namespace etiage::dra {

AttemptState::AttemptState(const Scene& scene, const std::vector<ClaimPlan>& claims)
    : scene_(scene),
      b_(scene.behaviour),
      claims_(claims),
      counters_(scene.fleet, scene.pools, scene.behaviour, scene.in_use),
      results_(claims.size()) {
  for (const ClaimPlan& claim : claims) {
    auto& list = constraints_.emplace_back();
    for (const DeviceConstraint& c : claim.claim->spec.constraints) list.emplace_back(c, b_);
  }
}

bool AttemptState::is_marked_by(std::uint32_t identity, std::size_t claim) const {
  return is_marked(identity) && std::ranges::find(marked_by_, std::pair(identity, claim)) != marked_by_.end();
}

bool AttemptState::is_taken(std::size_t claim, const AskPlan& ask, const Candidate& candidate) const {
  const std::uint32_t id = identity(candidate);
  if (ask.is_admin()) return is_marked_by(id, claim);
  return scene_.in_use.is_dedicated(id) || is_marked(id);
}

CapacityCheck AttemptState::check_capacity(const AskPlan& ask, const Candidate& candidate) const {
  if (!b_.gates.consumable_capacity) return {};
  const FleetDevice& d = scene_.fleet.devices()[candidate.device];
  const std::uint32_t id = d.identity;
  if (!ask.ask->capacity && !d.has_capacity_rules && shares_.empty() && !scene_.in_use.consumed(id))
    return {};
  const auto taking = shares_.find(id);
  return dra::check_capacity(b_, ask.ask->capacity, *d.object, scene_.in_use.consumed(id),
                             taking == shares_.end() ? nullptr : &taking->second);
}

std::string AttemptState::capacity_fault(std::size_t claim, const AskPlan& ask, const Candidate& candidate,
                                         const CapacityCheck& check) const {
  return "claim " + name_of(*claims_[claim].claim) + ", request " + ask.name.name +
         ": checking capacity for device " + scene_.fleet.name_of(candidate.device) + ": " + check.fault;
}

bool AttemptState::is_shared(std::uint32_t id) const {
  return scene_.in_use.consumed(id) || (b_.share_ids_mark_shared && scene_.in_use.has_shares(id)) ||
         shares_.contains(id);
}

/// Undoes what a refused device did; older releases forget most of it.
void AttemptState::refuse(const Undo& undo) {
  if (!b_.leaky_rollback) give_back(undo);
}

Taking AttemptState::take(Place place, const AskPlan& ask, const Candidate& candidate, Undo& undo) {
  const Device& d = device(candidate);
  const std::uint32_t id = identity(candidate);
  const bool shareable = is_shareable(candidate);
  undo = {place.claim, &ask, candidate};
  if (!(shareable && ask.is_admin()) && is_taken(place.claim, ask, candidate)) return Taking::kRefused;
  if (!d.consumes.empty() && !b_.gates.partitionable_devices) return Taking::kRefused;
  const bool charged = !(b_.shared_skip_counters && shareable && is_shared(id));
  if (charged && !d.consumes.empty()) {
    if (ask.wants_all && b_.all_crashes_on_counters)
      return crash("it takes all devices that consume counters");
    if (!counters_.take(candidate.pool, entry_of(scene_.pools, candidate))) return Taking::kRefused;
    undo.counters_taken = true;
  }
  if (blocking_taint(b_, d, ask.ask->tolerations)) {
    refuse(undo);
    return Taking::kRefused;
  }
  const std::string& driver = scene_.fleet.slice_of(candidate.device).object->driver;
  auto& constraints = constraints_[place.claim];
  for (ConstraintState& constraint : constraints) {
    if (!constraint.add(ask.name, d, driver)) {
      refuse(undo);
      if (b_.leaky_rollback)
        for (std::size_t i = 0; i < undo.constraints_added; ++i) constraints[i].remove(ask.name);
      return Taking::kAgainstConstraint;
    }
    ++undo.constraints_added;
  }
  if (!shareable) {
    if (marks_.empty()) marks_.resize(scene_.fleet.identities());
    ++marks_[id];
    marked_by_.emplace_back(id, place.claim);
    undo.marked = true;
  }
  if (const Taking rechecked = recheck_capacity(place, ask, candidate, undo); rechecked != Taking::kTaken)
    return rechecked;
  TakenDevice taken{candidate, &ask, shareable, {}};
  if (shareable) add_share(candidate, taken, undo);
  results_[place.claim].push_back(std::move(taken));
  undo.has_result = true;
  return Taking::kTaken;
}

Taking AttemptState::crash(std::string why) {
  fault_ = "kube-scheduler 1." + std::to_string(b_.version.minor) + " crashes here: " + std::move(why);
  return Taking::kFault;
}

Taking AttemptState::recheck_capacity(Place place, const AskPlan& ask, const Candidate& candidate,
                                      Undo& undo) {
  if (!b_.gates.consumable_capacity) return Taking::kTaken;
  Candidate checked = candidate;
  if (b_.rechecks_capacity_by_index) {
    const FleetSlice& slice = scene_.fleet.slice_of(candidate.device);
    if (place.device_index >= slice.count) return crash("it looks past the end of a slice");
    checked.device = slice.first + static_cast<std::uint32_t>(place.device_index);
  }
  const CapacityCheck check = check_capacity(ask, checked);
  if (check.fits()) return Taking::kTaken;
  if (!check.fault.empty()) fault_ = capacity_fault(place.claim, ask, candidate, check);
  refuse(undo);
  return check.fault.empty() ? Taking::kRefused : Taking::kFault;
}

void AttemptState::add_share(const Candidate& candidate, TakenDevice& taken, Undo& undo) {
  taken.consumed = consumed_capacity(b_, taken.ask->ask->capacity, device(candidate));
  const auto [entry, fresh] = shares_.try_emplace(identity(candidate));
  undo.capacity_entry_existed = !fresh;
  undo.capacity_added = true;
  for (const auto& [name, amount] : taken.consumed) entry->second[name] += amount;
}

void AttemptState::remove_share(const Undo& undo) {
  const std::uint32_t id = identity(undo.candidate);
  const CapacityMap consumed = results_[undo.claim].back().consumed;
  if (consumed.empty() && b_.leaky_rollback) return;
  const auto entry = shares_.find(id);
  if (entry == shares_.end()) return;
  bool empty = true;
  for (auto& [name, total] : entry->second) {
    if (const auto amount = consumed.find(name); amount != consumed.end()) total -= amount->second;
    empty &= total.is_zero();
  }
  if (!empty) return;
  if (undo.capacity_entry_existed && !b_.leaky_rollback) {
    entry->second.clear();  // still shared, by an earlier share that consumes nothing
  } else {
    shares_.erase(entry);
  }
}

void AttemptState::unmark(const Undo& undo) {
  const auto it = std::ranges::find(marked_by_, std::pair(identity(undo.candidate), undo.claim));
  if (it == marked_by_.end()) return;
  *it = marked_by_.back();
  marked_by_.pop_back();
  --marks_[identity(undo.candidate)];
}

void AttemptState::give_back(const Undo& undo) {
  if (undo.capacity_added) remove_share(undo);
  if (undo.has_result) results_[undo.claim].pop_back();
  if (undo.marked) unmark(undo);
  for (std::size_t i = undo.constraints_added; i > 0; --i)
    constraints_[undo.claim][i - 1].remove(undo.ask->name);
  const bool forgets_counters = b_.leaky_rollback && is_shareable(undo.candidate);
  if (undo.counters_taken && !forgets_counters)
    counters_.give_back(undo.candidate.pool, entry_of(scene_.pools, undo.candidate));
}

}  // namespace etiage::dra
