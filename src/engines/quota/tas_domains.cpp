#include "engines/quota/tas_domains.h"

#include <limits>
#include <tuple>

namespace etiage::quota {

DomainList DomainStates::all(int level) const {
  DomainList out;
  const auto size = static_cast<std::int32_t>(topology_->domains(level).size());
  for (std::int32_t i = 0; i < size; ++i) out.push_back({level, i});
  return out;
}

DomainList DomainStates::children(DomainRef d) const {
  DomainList out;
  if (d.level == last_level()) return out;
  const Domain& domain = topology_->domains(d.level)[static_cast<std::size_t>(d.index)];
  for (std::int32_t i = 0; i < domain.child_count; ++i) out.push_back({d.level + 1, domain.first_child + i});
  return out;
}

DomainList DomainStates::children(const DomainList& domains) const {
  DomainList out;
  for (const DomainRef d : domains) {
    const DomainList below = children(d);
    out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

void DomainStates::clear(DomainRef d) {
  const std::int64_t affinity = (*this)[d].affinity;
  (*this)[d] = {.affinity = affinity};
  for (const DomainRef child : children(d)) clear(child);
}

void DomainStates::clear_leaders(DomainRef d) {
  DomainState& s = (*this)[d];
  s.pods_with_leader = s.slices_with_leader = s.leaders = 0;
  for (const DomainRef child : children(d)) clear_leaders(child);
}

void roll_up(DomainStates& states, DomainRef d, const PlacementPlan& plan, bool layered) {
  DomainState& s = states[d];
  const auto set_slices = [&](std::int32_t slices, std::int32_t with_leader) {
    const bool here = d.level == plan.slice_level;
    s.slices = here ? s.pods / plan.slice_size : slices;
    s.slices_with_leader = here ? s.pods_with_leader / plan.slice_size : with_leader;
  };
  if (d.level == states.last_level()) {
    if (d.level == plan.slice_level) set_slices(0, 0);
    return;
  }
  const auto inner = plan.inner_slice_sizes.find(d.level + 1);
  const std::int32_t step = layered && inner != plan.inner_slice_sizes.end() ? inner->second : 1;
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
  std::int32_t pods = 0, slices = 0, leaders = 0, least_pods = kNone, least_slices = kNone;
  std::int64_t affinity = 0;
  bool takes_leader = false;
  for (const DomainRef child : states.children(d)) {
    roll_up(states, child, plan, layered);
    const DomainState& below = states[child];
    const std::int32_t whole = below.pods / step * step,
                       whole_with_leader = below.pods_with_leader / step * step;
    pods += whole;
    slices += below.slices;
    if (!plan.leaders_counted || plan.leaders == 0 || below.leaders > 0) {
      takes_leader = true;
      least_pods = std::min(least_pods, whole - whole_with_leader);
      least_slices = std::min(least_slices, below.slices - below.slices_with_leader);
    }
    leaders = std::max(leaders, below.leaders);
    affinity += below.affinity;
  }
  s.pods = pods;
  s.pods_with_leader = takes_leader ? pods - least_pods : 0;
  s.leaders = leaders;
  s.affinity = affinity;
  set_slices(slices, takes_leader ? slices - least_slices : 0);
}

namespace {

/// More affinity first where it counts, then slices (most first, or least), then fewest pods, then the order
/// of the values.
auto key(const PlacementPlan& plan, std::int64_t affinity, std::int32_t slices, std::int32_t pods,
         std::int32_t index) {
  return std::tuple(plan.by_affinity ? -affinity : 0, plan.least_free ? slices : -slices, pods, index);
}

}  // namespace

void sort_by_slices(const DomainStates& states, const PlacementPlan& plan, DomainList& domains) {
  std::sort(domains.begin(), domains.end(), [&](DomainRef a, DomainRef b) {
    const DomainState &x = states[a], &y = states[b];
    return key(plan, x.affinity, x.slices, x.pods, a.index) <
           key(plan, y.affinity, y.slices, y.pods, b.index);
  });
}

void sort_by_leaders(const DomainStates& states, const PlacementPlan& plan, DomainList& domains) {
  std::sort(domains.begin(), domains.end(), [&](DomainRef a, DomainRef b) {
    const DomainState &x = states[a], &y = states[b];
    if (x.leaders != y.leaders) return x.leaders > y.leaders;
    return key(plan, x.affinity, x.slices_with_leader, x.pods_with_leader, a.index) <
           key(plan, y.affinity, y.slices_with_leader, y.pods_with_leader, b.index);
  });
}

}  // namespace etiage::quota
