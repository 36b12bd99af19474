// TASBalancedPlacement (Kueue's tas_balanced_placement.go): as few domains as the greedy way needs, as even
// as possible.

#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "engines/quota/tas_domains.h"

namespace etiage::quota {

namespace {

struct Greedy {
  std::int32_t domains = 0;
  std::optional<DomainRef> last_with_leader, last;
};

PlacementPlan best_fit_plan(const PlacementPlan& plan) {
  PlacementPlan out = plan;
  out.least_free = false;
  return out;
}

/// How the largest-first way would fill the domains; nothing where the request does not fit.
std::optional<Greedy> greedy(const DomainStates& states, const PlacementPlan& plan, DomainList domains) {
  const PlacementPlan order = best_fit_plan(plan);
  Greedy out;
  std::int32_t rest = plan.count / plan.slice_size, leaders = plan.leaders;
  std::size_t i = 0;
  if (leaders > 0) {
    sort_by_leaders(states, order, domains);
    for (; leaders > 0 && i < domains.size() && states[domains[i]].leaders > 0; ++i) {
      ++out.domains;
      out.last_with_leader = domains[i];
      leaders -= states[domains[i]].leaders;
      rest -= states[domains[i]].slices_with_leader;
    }
  }
  if (leaders > 0) return std::nullopt;
  domains.erase(domains.begin(), domains.begin() + static_cast<std::ptrdiff_t>(i));
  sort_by_slices(states, order, domains);
  for (i = 0; rest > 0 && i < domains.size() && states[domains[i]].slices > 0; ++i) {
    ++out.domains;
    out.last = domains[i];
    rest -= states[domains[i]].slices;
  }
  if (rest > 0) return std::nullopt;
  return out;
}

double entropy(const DomainStates& states, const DomainList& domains) {
  double total = 0, sum = 0;
  for (const DomainRef d : domains) total += states[d].pods;
  if (total == 0) return 0;
  for (const DomainRef d : domains)
    if (states[d].pods > 0) {
      const double p = states[d].pods / total;
      sum += -p * std::log2(p);
    }
  return sum;
}

/// The smallest set (as many domains as the greedy way needs) with the least capacity beyond the request, by
/// dynamic programming over (domains used, leaders left, pods left).
DomainList smallest_set(const DomainStates& states, const PlacementPlan& plan, DomainList domains,
                        bool by_entropy, bool sorted_by_values) {
  const std::optional<Greedy> way = greedy(states, plan, domains);
  if (!way) return {};
  if (by_entropy)
    std::stable_sort(domains.begin(), domains.end(), [&](DomainRef a, DomainRef b) {
      const DomainState &x = states[a], &y = states[b];
      if (x.leaders != y.leaders) return x.leaders > y.leaders;
      if (x.slices_with_leader != y.slices_with_leader) return x.slices_with_leader > y.slices_with_leader;
      const double ex = entropy(states, states.children(a)), ey = entropy(states, states.children(b));
      return ex != ey ? ex > ey : a.index < b.index;
    });
  else if (sorted_by_values)
    std::sort(domains.begin(), domains.end(), [](DomainRef a, DomainRef b) { return a.index < b.index; });
  using Rest = std::map<std::int32_t, std::map<std::int32_t, DomainList>>;  // leaders left, pods left
  std::vector<Rest> placed(static_cast<std::size_t>(way->domains) + 1);
  placed[0][plan.leaders][plan.count / plan.slice_size * plan.slice_size] = {};
  for (const DomainRef d : domains)
    for (std::size_t used = placed.size() - 1; used > 0; --used)
      for (const auto& [leaders, by_pods] : placed[used - 1])
        for (const auto& [pods, list] : by_pods) {
          if (leaders <= 0 && pods <= 0) continue;
          DomainList next = list;
          next.push_back(d);
          const DomainState& s = states[d];
          if (leaders > 0 && s.leaders > 0)
            placed[used][leaders - s.leaders].try_emplace(pods - s.pods_with_leader, next);
          if (s.slices > 0) placed[used][leaders].try_emplace(pods - s.pods, next);
        }
  const auto& done = placed.back()[0];
  const auto beyond = done.upper_bound(0);
  return beyond == done.begin() ? DomainList{} : std::prev(beyond)->second;
}

/// Gives every domain the threshold and hands out the rest in order.
std::string spread_evenly(DomainStates& states, const PlacementPlan& plan, std::int32_t threshold,
                          bool sorted_by_values, DomainList& domains) {
  domains = smallest_set(states, plan, domains, false, sorted_by_values);
  if (domains.empty()) return "TAS Balanced Placement: Cannot find optimal domain set to fit the request";
  const std::int32_t slices = plan.count / plan.slice_size;
  const auto n = static_cast<std::int32_t>(domains.size());
  if (slices < n * threshold) return "TAS Balanced Placement: Not enough slices to meet the threshold";
  sort_by_leaders(states, best_fit_plan(plan), domains);
  std::int32_t extra = slices - n * threshold, leaders = plan.leaders;
  for (const DomainRef d : domains) {
    DomainState& s = states[d];
    std::int32_t more = 0;
    if (leaders > 0) {
      more = std::min(s.slices_with_leader - threshold, extra);
      s.leaders = 1;
      --leaders;
    } else {
      more = extra > 0 ? std::min(s.slices - threshold, extra) : 0;
      s.leaders = 0;
    }
    s.slices = s.slices_with_leader = threshold + more;
    s.pods = s.slices * plan.slice_size;
    s.pods_with_leader = s.pods - s.leaders;
    extra -= more;
  }
  return extra > 0 || leaders > 0 ? "TAS Balanced Placement: Not all slices or leaders could be placed" : "";
}

void prune_one(DomainStates& states, DomainRef d, std::int32_t threshold, const PlacementPlan& plan) {
  DomainState& s = states[d];
  if (!plan.leaders_counted) {
    if (s.slices_with_leader < threshold) states.clear(d);
    return;
  }
  if (s.slices < threshold)
    states.clear(d);
  else if (plan.leaders > 0 && s.leaders > 0 && s.slices_with_leader < threshold)
    states.clear_leaders(d);
}

/// Takes out what could not hold the threshold.
void prune(DomainStates& states, const DomainList& domains, std::int32_t threshold,
           const PlacementPlan& plan) {
  for (const DomainRef d : domains)
    for (const DomainRef child : states.children(d)) prune_one(states, child, threshold, plan);
  for (const DomainRef d : domains) {
    roll_up(states, d, plan, false);
    prune_one(states, d, threshold, plan);
  }
}

struct Best {
  std::int32_t threshold = 0, domains = 0;
  DomainList list;
  std::optional<DomainStates> states;  ///< as pruned for the list, where releases work on a copy
};

/// The largest even share that some set of siblings at the requested level allows.
Best find_best(DomainStates& states, const PlacementPlan& plan, bool on_copies) {
  const std::int32_t slices = plan.count / plan.slice_size;
  std::vector<DomainList> siblings;
  if (plan.level == 0)
    siblings.push_back(states.all(0));
  else
    for (const DomainRef above : states.all(plan.level - 1)) siblings.push_back(states.children(above));
  Best best;
  for (const DomainList& list : siblings) {
    DomainStates copy = states;
    DomainStates& work = on_copies ? copy : states;
    const DomainList lower = plan.level < plan.slice_level ? work.children(list) : list;
    const std::optional<Greedy> way = greedy(work, plan, lower);
    if (!way || way->domains == 0) continue;
    std::int32_t threshold = slices / way->domains;
    if (way->last_with_leader)
      threshold = std::min(threshold, work[*way->last_with_leader].slices_with_leader);
    if (way->last)
      threshold =
          std::min(threshold, on_copies ? work[*way->last].slices : work[*way->last].slices_with_leader);
    const std::int32_t reserving =
        plan.leaders > 0 && way->last ? std::min(threshold, work[*way->last].slices_with_leader) : threshold;
    if (threshold < best.threshold) continue;
    prune(work, list, threshold, plan);
    std::optional<Greedy> after = greedy(work, plan, list);
    if (on_copies && !after && reserving < threshold) {
      if (reserving <= 0 || reserving < best.threshold) continue;
      threshold = reserving;
      work = states;
      prune(work, list, threshold, plan);
      after = greedy(work, plan, list);
    }
    if (on_copies && !after) continue;
    const std::int32_t used = after ? after->domains : 0;
    if (threshold > best.threshold || (threshold == best.threshold && used < best.domains))
      best = {threshold, used, list, on_copies ? std::optional(work) : std::nullopt};
  }
  return best;
}

}  // namespace

bool place_balanced(DomainStates& states, const PlacementPlan& plan, const Release& release,
                    DomainList& domains, int& level, std::string& failure) {
  const bool on_copies = release.after_017();
  Best best = find_best(states, plan, on_copies);
  if (best.threshold <= 0) return false;
  DomainStates before = states;
  if (best.states) states = *best.states;
  domains = best.list;
  level = plan.level;
  if (plan.level < plan.slice_level) {
    const DomainList chosen = smallest_set(states, plan, domains, true, on_copies);
    if (chosen.empty()) failure = "TAS Balanced Placement: Cannot find optimal domain set to fit the request";
    domains = states.children(chosen);
    level = plan.level + 1;
  }
  if (failure.empty()) failure = spread_evenly(states, plan, best.threshold, on_copies, domains);
  if (!failure.empty() && on_copies) states = before;
  return true;
}

}  // namespace etiage::quota
