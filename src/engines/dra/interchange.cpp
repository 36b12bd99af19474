#include "engines/dra/interchange.h"

#include <algorithm>

#include "engines/dra/taints.h"

namespace etiage::dra {
namespace {

template <class Predicate>
bool any_ask(const std::vector<ClaimPlan>& claims, Predicate predicate) {
  for (const ClaimPlan& claim : claims)
    for (const RequestPlan& request : claim.requests)
      if (std::ranges::any_of(request.alternatives,
                              [&](const AskPlan& ask) { return predicate(request, ask); }))
        return true;
  return false;
}

bool any_constraint(const std::vector<ClaimPlan>& claims, DeviceConstraint::Kind kind) {
  return std::ranges::any_of(claims, [&](const ClaimPlan& claim) {
    return std::ranges::any_of(claim.claim->spec.constraints, [&](const auto& c) { return c.kind == kind; });
  });
}

void append(std::string& out, std::string_view text) {
  out.append(text).push_back('\0');
}
void append(std::string& out, Quantity::Nano n) {
  out.append(reinterpret_cast<const char*>(&n), sizeof n);
}
void append_value(std::string& out, const std::string& text) {
  append(out, text);
}
void append_value(std::string& out, const SemanticVersion& version) {
  append(out, version.text);
}
void append_value(std::string& out, std::monostate) {
  out.push_back('?');
}
void append_value(std::string& out, std::int64_t number) {
  append(out, Quantity::Nano{number});
}
void append_value(std::string& out, bool flag) {
  out.push_back(flag ? '1' : '0');
}

template <class T>
void append_value(std::string& out, const std::vector<T>& list) {
  for (const auto& value : list) append_value(out, value);
}

}  // namespace

Interchange::Interchange(const Scene& scene, const std::vector<ClaimPlan>& claims)
    : scene_(scene), claims_(claims) {
  const Behaviour& b = scene.behaviour;
  first_try_differs_ =
      b.distinct_per_request && any_constraint(claims, DeviceConstraint::Kind::kDistinctAttribute);
  has_admin_ = any_ask(claims, [](const RequestPlan&, const AskPlan& ask) { return ask.is_admin(); });
}

bool Interchange::leaves_traces() const {
  const Behaviour& b = scene_.behaviour;
  if (b.list_narrowing_sticks && any_constraint(claims_, DeviceConstraint::Kind::kMatchAttribute))
    return true;
  if (!b.leaky_rollback) return false;
  if (b.gates.consumable_capacity) return true;
  return b.gates.partitionable_devices && std::ranges::any_of(scene_.pools.order, [&](const Candidate& c) {
           return c.device != kNone && !scene_.fleet.devices()[c.device].object->consumes.empty();
         });
}

void Interchange::append_requests(std::string& out, std::size_t place) const {
  const Candidate& c = candidate(place);
  for (const ClaimPlan& claim : claims_)
    for (const RequestPlan& request : claim.requests)
      for (const AskPlan& ask : request.alternatives) {
        const auto selectable = is_selectable(scene_, *claim.claim, ask, c);
        out.push_back(!selectable ? 'e' : *selectable ? '1' : '0');
        // All takes its devices in order: one that is taken ends the branch, one against a constraint the
        // attempt. So it matters which of them is taken.
        if (ask.wants_all && selectable && *selectable && !claim.claim->spec.constraints.empty())
          append(out, Quantity::Nano{place});
        out.push_back(blocking_taint(scene_.behaviour, device(place), ask.ask->tolerations) ? 't' : '-');
      }
}

void Interchange::append_constraints(std::string& out, std::size_t place) const {
  const std::string& driver = scene_.fleet.slice_of(candidate(place).device).object->driver;
  for (const ClaimPlan& claim : claims_)
    for (const DeviceConstraint& constraint : claim.claim->spec.constraints) {
      const DeviceAttribute* value = find_attribute(device(place), driver, constraint.attribute);
      out.push_back(value ? static_cast<char>('a' + value->index()) : '-');
      if (value) std::visit([&](const auto& v) { append_value(out, v); }, *value);
      out.push_back('\n');
    }
}

void Interchange::append_amounts(std::string& out, std::size_t place) const {
  const Candidate& c = candidate(place);
  const Device& d = device(place);
  if (!d.consumes.empty()) {
    append(out, Quantity::Nano{c.pool});
    append(out, Quantity::Nano{scene_.fleet.devices()[c.device].slice});
    for (const CounterConsumption& use : d.consumes) {
      append(out, use.counter_set);
      for (const auto& [name, amount] : use.counters) append(out, name), append(out, amount.nano());
    }
  }
  if (!scene_.behaviour.gates.consumable_capacity) return;
  for (const auto& [name, capacity] : d.capacity)
    append(out, name), append(out, capacity.value.amount.nano());
  if (d.allow_multiple_allocations) append(out, Quantity::Nano{c.device});
}

std::string Interchange::signature(std::size_t place) const {
  std::string out;
  append_requests(out, place);
  append_constraints(out, place);
  append_amounts(out, place);
  out.push_back(scene_.in_use.is_dedicated(scene_.fleet.devices()[candidate(place).device].identity) ? 'u'
                                                                                                     : 'f');
  return out;
}

std::uint32_t Interchange::kind_of(std::size_t place, const AttemptState& state) {
  if (kinds_.empty()) kinds_.assign(scene_.pools.order.size(), kNone);
  if (kinds_[place] == kNone)
    kinds_[place] = kind_ids_.try_emplace(signature(place), kind_ids_.size()).first->second;
  // With admin access a device may be tried that another claim of this attempt has taken; it is like no other
  // then.
  if (has_admin_ && state.is_marked(candidate(place))) return static_cast<std::uint32_t>(kNone - 1 - place);
  return kinds_[place];
}

void Interchange::note_failed(FailedKinds& failed, std::size_t place, const AttemptState& state) {
  if (may_skip()) failed.push_back(kind_of(place, state));
}

bool Interchange::has_failed(const FailedKinds& failed, std::size_t place, const AttemptState& state) {
  return !failed.empty() && std::ranges::find(failed, kind_of(place, state)) != failed.end();
}

std::optional<std::int64_t> Interchange::takeable(const AskPlan& ask) const {
  std::int64_t count = 0;
  const Shortlist::Entry* entry;
  for (std::size_t p = 0; (entry = ask.shortlist->at(scene_, ask, p)); ++p) {
    if (!entry->sure) return std::nullopt;
    const FleetDevice& d = scene_.fleet.devices()[candidate(entry->place).device];
    if (!ask.is_admin() && scene_.in_use.is_dedicated(d.identity)) continue;
    if (blocking_taint(scene_.behaviour, *d.object, ask.ask->tolerations)) continue;
    if (scene_.behaviour.gates.consumable_capacity) {
      const CapacityCheck check = check_capacity(scene_.behaviour, ask.ask->capacity, *d.object,
                                                 scene_.in_use.consumed(d.identity), nullptr);
      if (!check.fault.empty()) return std::nullopt;
      if (!check.fits()) continue;
    }
    ++count;
  }
  return count;
}

bool Interchange::lacks_devices() const {
  bool lacking = false;
  for (const ClaimPlan& claim : claims_)
    for (const RequestPlan& request : claim.requests) {
      const auto count = takeable(request.alternatives[0]);
      if (!count) return false;
      lacking |= *count < request.alternatives[0].count;
    }
  return lacking;
}

bool Interchange::is_hopeless() {
  if (!hopeless_) {
    const bool plain = !any_ask(claims_, [](const RequestPlan& request, const AskPlan& ask) {
      return request.is_list || ask.wants_all;
    });
    hopeless_ = may_skip() && plain && lacks_devices();
  }
  return *hopeless_;
}

}  // namespace etiage::dra
