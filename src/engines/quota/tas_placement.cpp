#include "engines/quota/tas_placement.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/tas_search.h"

namespace etiage::quota {

std::vector<PlacementResult> TopologySearch::run(const AssumedUsage& assumed) {
  std::string failure = make_plan();
  DomainList domains;
  if (failure.empty()) {
    count_leaves(assumed);
    for (const DomainRef root : states_.all(0)) roll_up(states_, root, plan_, true);
    failure = choose(domains);
  }
  std::vector<PlacementResult> out{{.pod_set = workers_.pod_set, .domains = {}, .failure = failure}};
  if (leader_) out.push_back({.pod_set = leader_->pod_set, .domains = {}, .failure = failure});
  if (!failure.empty()) return out;
  std::sort(domains.begin(), domains.end(), [](DomainRef a, DomainRef b) { return a.index < b.index; });
  for (const DomainRef d : domains) {
    const DomainState& s = states_[d];
    // 0.17 may count less than nothing in a full leaf, and takes that for a part as any other.
    if (s.pods != 0) out[0].domains.push_back({d.index, s.pods});
    if (leader_ && s.leaders > 0) out[1].domains.push_back({d.index, s.leaders});
  }
  return out;
}
std::int32_t TopologySearch::slices_below(DomainRef d, int level, std::int32_t size) const {
  if (d.level == level) return states_[d].pods / size;
  std::int32_t sum = 0;
  for (const DomainRef child : states_.children(d)) sum += slices_below(child, level, size);
  return sum;
}

std::string TopologySearch::not_fit(int level, std::int32_t fitting, std::int32_t wanted) const {
  if (!plan_.layers.empty()) {
    std::string out = fmt::format("topology \"{}\" doesn't allow to fit", topology_.name());
    const DomainList domains = states_.all(level);
    const auto best = std::max_element(domains.begin(), domains.end(), [&](DomainRef a, DomainRef b) {
      return states_[a].slices < states_[b].slices;
    });
    for (const SliceConstraint& layer : plan_.layers)
      if (const int at = topology_.level(layer.topology); at >= level)
        out += fmt::format("; {}/{} slice(s) fit on level {}", slices_below(*best, at, layer.size),
                           plan_.count / layer.size, layer.topology);
    return out + exclusions_.text();
  }
  const char* unit = plan_.slice_size == 1 ? "pod" : "slice";
  const std::string text = fitting == 0 ? fmt::format("topology \"{}\" doesn't allow to fit any of {} {}(s)",
                                                      topology_.name(), wanted, unit)
                                        : fmt::format("topology \"{}\" allows to fit only {} out of {} {}(s)",
                                                      topology_.name(), fitting, wanted, unit);
  return text + exclusions_.text();
}

DomainRef TopologySearch::best_fit(const DomainList& domains, std::size_t from, std::int32_t needed,
                                   bool leaders, bool slices) const {
  const auto room = [&](DomainRef d) {
    const DomainState& s = states_[d];
    return slices ? (leaders ? s.slices_with_leader : s.slices) : (leaders ? s.pods_with_leader : s.pods);
  };
  DomainRef best = domains[from];
  for (std::size_t i = from; i < domains.size(); ++i) {
    if (plan_.by_affinity && states_[domains[i]].affinity != states_[domains[from]].affinity) break;
    if (room(domains[i]) >= needed && room(domains[i]) < room(best)) best = domains[i];
  }
  return best;
}

std::string TopologySearch::find_level(int level, DomainList& domains, int& found) {
  DomainList sorted = states_.all(level);
  if (sorted.empty())
    return "no topology domains at level: " + topology_.levels()[static_cast<std::size_t>(level)];
  sort_by_leaders(states_, plan_, sorted);
  const std::int32_t slices = plan_.count / plan_.slice_size;
  const auto takes_all = [&](DomainRef d) {
    return states_[d].slices_with_leader >= slices && states_[d].leaders >= plan_.leaders;
  };
  found = level;
  DomainRef top = sorted[0];
  if (!plan_.least_free && takes_all(top)) top = best_fit(sorted, 0, slices, plan_.leaders > 0, true);
  if (plan_.least_free) {
    const auto it =
        std::find_if(sorted.begin(), sorted.end(), [&](DomainRef d) { return states_[d].slices >= slices; });
    if (it != sorted.end()) return domains = {*it}, "";
    if (plan_.required) return not_fit(level, states_[sorted.back()].pods, slices);
  }
  if (takes_all(top)) return domains = {top}, "";
  if (plan_.required) {
    if (plan_.by_affinity)
      for (std::size_t i = 1; i < sorted.size(); ++i)
        if (takes_all(sorted[i])) return domains = {best_fit(sorted, i, slices, plan_.leaders > 0, true)}, "";
    return not_fit(level, states_[top].slices, slices);
  }
  if (level > 0 && !plan_.unconstrained) return find_level(level - 1, domains, found);
  return spread_over(level, std::move(sorted), domains);
}

std::string TopologySearch::spread_over(int level, DomainList sorted, DomainList& domains) const {
  const std::int32_t slices = plan_.count / plan_.slice_size;
  std::int32_t rest = slices, leaders = plan_.leaders;
  domains.clear();
  std::size_t i = 0;
  for (; leaders > 0 && i < sorted.size() && states_[sorted[i]].leaders > 0; ++i) {
    DomainRef d = sorted[i];
    if (!plan_.least_free && states_[d].slices_with_leader >= rest)
      d = best_fit(sorted, i, rest, leaders > 0, true);
    domains.push_back(d);
    leaders -= states_[d].leaders;
    rest -= states_[d].slices_with_leader;
  }
  if (leaders > 0) return not_fit(level, plan_.leaders - leaders, slices);
  sorted.erase(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(i));
  sort_by_slices(states_, plan_, sorted);
  for (i = 0; rest > 0 && i < sorted.size(); ++i) {
    DomainRef d = sorted[i];
    if (!plan_.least_free && states_[d].slices >= rest) d = best_fit(sorted, i, rest, false, true);
    domains.push_back(d);
    rest -= states_[d].slices;
  }
  return rest > 0 ? not_fit(level, slices - rest, slices) : "";
}

/// Gives the domain its part while a leader is still without a place; true: nothing is left to give.
bool TopologySearch::give_with_leader(const DomainList& domains, std::size_t from, DomainRef& d,
                                      std::int32_t& rest, std::int32_t& leaders, std::int32_t slice_size,
                                      bool slices) {
  const auto room = [&](DomainRef x) -> std::int32_t& {
    return slices ? states_[x].slices_with_leader : states_[x].pods_with_leader;
  };
  if (!plan_.least_free && room(d) >= rest && states_[d].leaders >= leaders)
    d = best_fit(domains, from, rest, leaders > 0, slices);
  DomainState& s = states_[d];
  if (room(d) >= rest && s.leaders >= leaders) {
    (slices ? s.slices : s.pods) = rest;
    s.leaders = leaders;
    s.pods = rest * slice_size;
    return true;
  }
  if (slices) {
    room(d) = std::min(room(d), rest);
    s.leaders = std::min(s.leaders, leaders);
    s.pods = room(d) * slice_size;
    leaders -= s.leaders;
    rest -= room(d);
    return false;
  }
  // Kueue clamps after it has subtracted here; kept, since it shows in what the domain is given.
  rest -= room(d);
  leaders -= s.leaders;
  room(d) = std::min(room(d), rest);
  s.leaders = std::min(s.leaders, leaders);
  return false;
}

DomainList TopologySearch::hand_out(const DomainList& domains, std::int32_t count, std::int32_t leaders,
                                    std::int32_t slice_size, bool slices) {
  DomainList out;
  std::int32_t rest = slices ? count / slice_size : count;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    DomainRef d = domains[i];
    if (leaders > 0) {
      const bool done = give_with_leader(domains, i, d, rest, leaders, slices ? slice_size : 1, slices);
      out.push_back(d);
      if (done) return out;
      continue;
    }
    const auto room = [&](DomainRef x) { return slices ? states_[x].slices : states_[x].pods; };
    if (!plan_.least_free && room(d) >= rest) d = best_fit(domains, i, rest, false, slices);
    DomainState& s = states_[d];
    s.leaders = 0;
    const bool done = room(d) >= rest;
    const std::int32_t given = done ? rest : room(d);
    if (slices) {
      s.pods = given * slice_size;
      s.slices = given;
    } else {
      s.pods = given;
    }
    rest -= given;
    out.push_back(d);
    if (done) return out;
  }
  return {};
}

std::string TopologySearch::choose(DomainList& domains) {
  int level = plan_.level;
  bool balanced = false;
  if (context_.release->gates.tas_balanced_placement && !plan_.required && !plan_.unconstrained) {
    std::string failure;
    balanced = place_balanced(states_, plan_, *context_.release, domains, level, failure);
    if (balanced && !failure.empty()) {
      if (!context_.release->after_017()) return failure;
      balanced = false;  // since 0.19 the best fit is tried instead
    }
  }
  if (!balanced)
    if (const std::string failure = find_level(plan_.level, domains, level); !failure.empty()) return failure;
  domains = hand_out(domains, plan_.count, plan_.leaders, plan_.slice_size, true);
  for (; level < std::min(states_.last_level(), plan_.slice_level) && !balanced; ++level) {
    DomainList lower = states_.children(domains);
    sort_by_slices(states_, plan_, lower);
    domains = hand_out(lower, plan_.count, plan_.leaders, plan_.slice_size, true);
  }
  for (; level < states_.last_level(); ++level) {
    std::int32_t size = plan_.slice_size;
    if (level >= plan_.slice_level) {
      const auto inner = plan_.inner_slice_sizes.find(level + 1);
      size = inner == plan_.inner_slice_sizes.end() ? 1 : inner->second;
    }
    DomainList next;
    for (const DomainRef d : domains) {
      DomainList lower = states_.children(d);
      sort_by_slices(states_, plan_, lower);
      if (size > 1)
        for (const DomainRef c : lower) {
          states_[c].slices = states_[c].pods / size;
          states_[c].slices_with_leader = states_[c].pods_with_leader / size;
        }
      const DomainList given = hand_out(lower, states_[d].pods, states_[d].leaders, size, size > 1);
      next.insert(next.end(), given.begin(), given.end());
    }
    domains = std::move(next);
  }
  return "";
}

namespace {

void assume(const PlacementContext& context, const PlacementRequest& request, const PlacementResult& result,
            AssumedUsage& assumed) {
  // Since 0.19 a pod's own place is assumed too.
  for (const LeafPods& d : result.domains) {
    auto& used = assumed[fmt::format("{}", fmt::join(context.topology->assigned_values(d.leaf), ","))];
    for (const ResourceAmount& r : request.per_pod) used.push_back({r.resource, times(r.amount, d.pods)});
    if (context.release->after_017()) used.push_back({context.pods, d.pods});
  }
}

}  // namespace

std::vector<PlacementResult> place(const PlacementContext& context,
                                   std::span<const PlacementRequest> requests, AssumedUsage& assumed) {
  std::vector<PlacementResult> out;
  std::vector<bool> done(requests.size(), false);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (done[i]) continue;
    std::vector<const PlacementRequest*> group{&requests[i]};
    const auto name_of = [](const PlacementRequest& r) {
      return r.spec->topology ? r.spec->topology->group : std::nullopt;
    };
    if (name_of(requests[i]))
      for (std::size_t j = i + 1; j < requests.size(); ++j)
        if (name_of(requests[j]) == name_of(requests[i])) {
          group.push_back(&requests[j]);
          done[j] = true;
        }
    const PlacementRequest* workers = group[0];
    const PlacementRequest* leader = group.size() > 1 ? group[1] : nullptr;
    if (leader && leader->count > workers->count) std::swap(workers, leader);
    const auto results = TopologySearch(context, *workers, leader).run(assumed);
    for (const PlacementResult& r : results) out.push_back(r);
    if (!results[0].failure.empty()) return out;
    for (const PlacementResult& r : results)
      assume(context, r.pod_set == workers->pod_set ? *workers : *leader, r, assumed);
  }
  return out;
}

bool fits(const TasTopology& topology, const TopologyUsage& usage, bool after_017) {
  // Since 0.18 requests of nothing are left out, and what asks for nothing fits nowhere, as before.
  const bool asks = std::any_of(usage.per_pod.begin(), usage.per_pod.end(),
                                [&](const ResourceAmount& r) { return !after_017 || r.amount != 0; });
  return std::all_of(usage.domains.begin(), usage.domains.end(), [&](const LeafPods& d) {
    if (d.leaf < 0) return false;
    if (!asks) return d.pods <= 0;
    return std::all_of(usage.per_pod.begin(), usage.per_pod.end(), [&](const ResourceAmount& r) {
      const Amount free = topology.free(d.leaf, r.resource, false);
      const Amount count = r.amount == 0 ? kManyPods
                           : after_017   ? std::max<Amount>(0, free / r.amount)
                                         : free / r.amount;
      return count >= d.pods;
    });
  });
}

}  // namespace etiage::quota
