#include "engines/placement/kube/preemption.h"

#include <algorithm>
#include <functional>

#include "model/selector.h"

namespace etiage::placement {
namespace {

Instant start_of(const Snapshot& snapshot, PodIndex pod) {
  return snapshot.record(pod).started.value_or(Instant::max());
}

bool more_important(const Snapshot& snapshot, PodIndex a, PodIndex b) {
  const std::int32_t x = snapshot.shape_of(a).priority, y = snapshot.shape_of(b).priority;
  return x != y ? x > y : start_of(snapshot, a) < start_of(snapshot, b);
}

/// One node under trial, with a state of its own.
class Trial {
 public:
  Trial(const Snapshot& snapshot, const FilterState& filters, NodeIndex node)
      : snapshot_(snapshot), filters_(filters), node_(snapshot.nodes()[node]) {}

  void take(PodIndex pod) {
    snapshot_.remove_from(node_, pod);
    filters_.update(pod, node_.index, -1);
  }
  void give_back(PodIndex pod) {
    snapshot_.add_to(node_, pod);
    filters_.update(pod, node_.index, 1);
  }
  std::optional<Refusal> check() const { return filters_.check(node_); }

 private:
  const Snapshot& snapshot_;
  FilterState filters_;
  NodeInfo node_;
};

struct Outcome {
  std::optional<PreemptionCandidate> candidate;
  Refusal refused;
};

Outcome try_node(const Snapshot& snapshot, const FilterState& filters, PodIndex pod, NodeIndex node) {
  std::vector<PodIndex> potential;
  for (const PodIndex p : snapshot.nodes()[node].pods)
    if (snapshot.shape_of(p).priority < snapshot.shape_of(pod).priority) potential.push_back(p);
  if (potential.empty()) return {{}, {{}, {"No preemption victims found for incoming pod"}, true}};
  Trial trial(snapshot, filters, node);
  for (const PodIndex p : potential) trial.take(p);
  if (auto refused = trial.check()) return {{}, std::move(*refused)};

  const auto by_importance = [&](PodIndex a, PodIndex b) { return more_important(snapshot, a, b); };
  std::ranges::stable_sort(potential, by_importance);
  Budgets budgets(snapshot.input().disruption_budgets);
  std::vector<PodIndex> violating, others;
  for (const PodIndex p : potential)
    (budgets.would_violate(snapshot.pod(p)) ? violating : others).push_back(p);

  PreemptionCandidate out{node, {}, 0};
  const auto reprieve = [&](PodIndex p) {
    trial.give_back(p);
    if (!trial.check()) return true;
    trial.take(p);
    out.victims.push_back(p);
    return false;
  };
  for (const PodIndex p : violating) out.budget_violations += !reprieve(p);
  for (const PodIndex p : others) reprieve(p);
  if (!violating.empty() && !others.empty()) std::ranges::stable_sort(out.victims, by_importance);
  if (out.victims.empty())
    return {{},
            {{}, {"expected at least one victim pod on node \"" + snapshot.node_name(node) + "\""}, false}};
  return {std::move(out), {}};
}

/// The earliest start among the victims of the highest priority.
Instant earliest_start(const Snapshot& snapshot, const PreemptionCandidate& c) {
  Instant out = Instant::max();
  std::int32_t highest = INT32_MIN;
  for (const PodIndex p : c.victims) highest = std::max(highest, snapshot.shape_of(p).priority);
  for (const PodIndex p : c.victims)
    if (snapshot.shape_of(p).priority == highest) out = std::min(out, start_of(snapshot, p));
  return out;
}

/// Priorities are shifted to be positive, so that fewer victims of a negative priority are better than more.
std::int64_t sum_of_priorities(const Snapshot& snapshot, const PreemptionCandidate& c) {
  std::int64_t sum = 0;
  for (const PodIndex p : c.victims)
    sum += std::int64_t{snapshot.shape_of(p).priority} + (std::int64_t{1} << 31);
  return sum;
}

}  // namespace

Budgets::Budgets(const std::vector<PodDisruptionBudget>& budgets) : budgets_(&budgets) {
  for (const auto& b : budgets) left_.push_back(b.disruptions_allowed);
}

bool Budgets::would_violate(const Pod& pod) {
  if (pod.meta.labels.empty()) return false;
  for (std::size_t i = 0; i < budgets_->size(); ++i) {
    const PodDisruptionBudget& b = (*budgets_)[i];
    const bool guards = b.meta.ns == pod.meta.ns && b.selector && !is_empty(*b.selector) &&
                        matches(b.selector, pod.meta.labels);
    if (guards && !b.disrupted_pods.contains(pod.meta.name) && --left_[i] < 0) return true;
  }
  return false;
}

PreemptionSearch search_preemption(const Snapshot& snapshot, const FilterState& filters, PodIndex pod,
                                   const std::vector<NodeIndex>& nodes) {
  PreemptionSearch out;
  for (const NodeIndex n : nodes) {
    Outcome tried = try_node(snapshot, filters, pod, n);
    if (tried.candidate) {
      out.candidates.push_back(std::move(*tried.candidate));
    } else {
      out.refused.emplace(n, std::move(tried.refused));
    }
  }
  return out;
}

std::vector<std::size_t> best_candidates(const Snapshot& snapshot,
                                         const std::vector<PreemptionCandidate>& candidates) {
  using Measure = std::function<std::int64_t(const PreemptionCandidate&)>;  // the highest stays
  const Measure measures[] = {
      [](const auto& c) { return -c.budget_violations; },
      [&](const auto& c) { return -std::int64_t{snapshot.shape_of(c.victims.front()).priority}; },
      [&](const auto& c) { return -sum_of_priorities(snapshot, c); },
      [](const auto& c) { return -static_cast<std::int64_t>(c.victims.size()); },
      [&](const auto& c) { return earliest_start(snapshot, c).ns; },
  };
  std::vector<std::size_t> left(candidates.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  for (const Measure& measure : measures) {
    if (left.size() < 2) break;
    std::int64_t best = INT64_MIN;
    for (const std::size_t i : left) best = std::max(best, measure(candidates[i]));
    std::erase_if(left, [&](std::size_t i) { return measure(candidates[i]) != best; });
  }
  return left;
}

}  // namespace etiage::placement
