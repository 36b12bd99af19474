#include "engines/placement/kube/attempt.h"

#include <algorithm>

#include "engines/placement/kube/node_rules.h"
#include "engines/placement/kube/resource_scores.h"
#include "model/node_selector.h"

namespace etiage::placement {
namespace {

Refusal refusal(Plugin plugin, std::string reason, bool unresolvable) {
  return {plugin, {std::move(reason)}, unresolvable};
}

std::optional<Refusal> refused_by_spread(SpreadFilter::Verdict verdict) {
  const std::string reason = "node(s) didn't match pod topology spread constraints";
  switch (verdict) {
    case SpreadFilter::Verdict::kFits:
      return {};
    case SpreadFilter::Verdict::kMissingLabel:
      return refusal(Plugin::kPodTopologySpread, reason + " (missing required label)", true);
    case SpreadFilter::Verdict::kTooUneven:
      return refusal(Plugin::kPodTopologySpread, reason, false);
  }
  return {};
}

std::optional<Refusal> refused_by_affinity(PodAffinityFilter::Verdict verdict) {
  switch (verdict) {
    case PodAffinityFilter::Verdict::kFits:
      return {};
    case PodAffinityFilter::Verdict::kNoAffinity:
      return refusal(Plugin::kInterPodAffinity, "node(s) didn't match pod affinity rules", true);
    case PodAffinityFilter::Verdict::kAntiAffinity:
      return refusal(Plugin::kInterPodAffinity, "node(s) didn't match pod anti-affinity rules", false);
    case PodAffinityFilter::Verdict::kExistingAntiAffinity:
      return refusal(Plugin::kInterPodAffinity, "node(s) didn't satisfy existing pods anti-affinity rules",
                     false);
  }
  return {};
}

bool ports_conflict(const std::vector<HostPort>& wanted, const std::vector<HostPort>& used) {
  return std::ranges::any_of(wanted, [&](const HostPort& w) {
    return std::ranges::any_of(used, [&](const HostPort& u) { return w.conflicts(u); });
  });
}

}  // namespace

FilterState::FilterState(Snapshot& snapshot, const Profile& profile, PodIndex pod, PodDevices* devices,
                         const Nominations* nominations)
    : snapshot_(&snapshot), profile_(&profile), pod_(pod), devices_(devices), nominations_(nominations) {
  const PodSpec& spec = snapshot.shape_of(pod).example.spec;
  if (profile.filters_with(Plugin::kNodeAffinity)) only_names_ = restricted_to_names(spec);
  if (only_names_ && only_names_->empty())
    refused_everywhere_ = refusal(Plugin::kNodeAffinity, "pod affinity terms conflict", true);
  if (!refused_everywhere_ && devices) refused_everywhere_ = devices->refused_everywhere();
  if (profile.filters_with(Plugin::kPodTopologySpread)) spread_.emplace(snapshot, profile, pod);
  if (profile.filters_with(Plugin::kInterPodAffinity)) affinity_.emplace(snapshot, pod);
}

bool FilterState::leaves_out(NodeIndex node) const {
  return only_names_ && std::ranges::find(*only_names_, snapshot_->node_name(node)) == only_names_->end();
}

std::optional<Refusal> FilterState::check(const NodeInfo& state) const {
  const auto nominated =
      nominations_ ? nominations_->ahead_of(*snapshot_, pod_, state.index) : std::vector<PodIndex>{};
  if (!nominated.empty()) {
    FilterState with = *this;
    NodeInfo node = state;
    for (const PodIndex p : nominated) {
      snapshot_->add_to(node, p);
      with.update(p, node.index, 1);
    }
    if (auto refused = with.check_alone(node)) return refused;
  }
  return check_alone(state);
}

std::optional<Refusal> FilterState::check_alone(const NodeInfo& state) const {
  for (const Plugin plugin : profile_->filters)
    if (auto refused = ask(plugin, state)) return refused;
  return {};
}

std::optional<Refusal> FilterState::ask(Plugin plugin, const NodeInfo& state) const {
  const Node& node = snapshot_->input().nodes[state.index];
  const PodShape& shape = snapshot_->shape_of(pod_);
  const PodSpec& spec = shape.example.spec;
  const auto& enforced = profile_->arguments.added_node_affinity;
  switch (plugin) {
    case Plugin::kNodeUnschedulable:
      if (is_cordoned_for(spec, node)) return refusal(plugin, "node(s) were unschedulable", true);
      return {};
    case Plugin::kTaintToleration:
      if (!tolerates_scheduling(spec, node)) return refusal(plugin, "node(s) had untolerated taint(s)", true);
      return {};
    case Plugin::kNodeAffinity:
      if (enforced && !matches(*enforced, NodeIdentity{node.meta.name, node.meta.labels}))
        return refusal(plugin, "node(s) didn't match scheduler-enforced node affinity", true);
      if (!matches_required(spec, node))
        return refusal(plugin, "node(s) didn't match Pod's node affinity/selector", true);
      return {};
    case Plugin::kNodePorts:
      if (ports_conflict(shape.ports, state.ports))
        return refusal(plugin, "node(s) didn't have free ports for the requested pod ports", false);
      return {};
    case Plugin::kNodeResourcesFit:
      return lacking_resources(state);
    case Plugin::kPodTopologySpread:
      return refused_by_spread(spread_->check(state.index));
    case Plugin::kInterPodAffinity:
      return refused_by_affinity(affinity_->check(state.index));
    case Plugin::kDynamicResources:
      return devices_ ? devices_->check(state.index) : std::nullopt;
    default:
      return {};
  }
}

bool FilterState::is_ignored(std::string_view resource) const {
  const NodeResourcesFitArgs& fit = profile_->arguments.fit;
  return is_extended_resource(resource) &&
         (std::ranges::find(fit.ignored_resources, resource) != fit.ignored_resources.end() ||
          std::ranges::find(fit.ignored_resource_groups, resource.substr(0, resource.find('/'))) !=
              fit.ignored_resource_groups.end());
}

std::optional<Refusal> FilterState::lacking_resources(const NodeInfo& state) const {
  Refusal out{Plugin::kNodeResourcesFit, {}, false};
  if (static_cast<std::int64_t>(state.pods.size()) + 1 > state.pod_limit)
    out.reasons.push_back("Too many pods");
  for (const auto& [r, asked] : snapshot_->shape_of(pod_).requests) {
    const std::int64_t all = state.allocatable_of(r);
    if (asked <= 0 || asked <= all - state.requested_of(r)) continue;
    if (devices_ && devices_->is_claimed(r, state)) continue;
    const std::string& name = snapshot_->resources().name(r);
    if (is_ignored(name)) continue;
    out.reasons.push_back("Insufficient " + name);
    out.unresolvable |= asked > all;
  }
  if (out.reasons.empty()) return {};
  std::ranges::sort(out.reasons);
  return out;
}

void FilterState::update(PodIndex pod, NodeIndex node, int sign) {
  if (spread_) spread_->update(*snapshot_, pod, node, sign);
  if (affinity_) affinity_->update(*snapshot_, pod, node, sign);
}

namespace {

/// helper.DefaultNormalizeScore: the highest becomes 100; `reverse`: the lower the better.
void normalise(std::vector<std::int64_t>& scores, bool reverse) {
  constexpr std::int64_t kHighest = 100;
  const std::int64_t most = scores.empty() ? 0 : std::max<std::int64_t>(*std::ranges::max_element(scores), 0);
  for (std::int64_t& s : scores) {
    if (most > 0) s = kHighest * s / most;
    if (reverse) s = most > 0 ? kHighest - s : kHighest;
  }
}

template <class F>
std::vector<std::int64_t> each(const std::vector<NodeIndex>& nodes, F score) {
  std::vector<std::int64_t> out;
  out.reserve(nodes.size());
  for (const NodeIndex n : nodes) out.push_back(score(n));
  return out;
}

/// Normalised scores of one plugin; nothing where it skips the pod.
std::optional<std::vector<std::int64_t>> plugin_scores(Snapshot& snapshot, const Profile& profile,
                                                       Plugin plugin, PodIndex pod, const PodDevices* devices,
                                                       const std::vector<NodeIndex>& feasible) {
  const PodSpec& spec = snapshot.shape_of(pod).example.spec;
  const auto& nodes = snapshot.input().nodes;
  const auto& added = profile.arguments.added_node_preferences;
  switch (plugin) {
    case Plugin::kTaintToleration: {
      auto out = each(feasible, [&](NodeIndex n) { return untolerated_preferences(spec, nodes[n]); });
      normalise(out, true);
      return out;
    }
    case Plugin::kNodeAffinity: {
      if (spec.affinity.node_preferred.empty() && added.empty()) return {};
      auto out = each(feasible, [&](NodeIndex n) {
        return node_preference(added, nodes[n]) + node_preference(spec.affinity.node_preferred, nodes[n]);
      });
      normalise(out, false);
      return out;
    }
    case Plugin::kNodeResourcesFit: {
      auto scorer = ResourceScorer::fit(profile.arguments.fit, spec, snapshot.resources());
      scorer.count_devices(devices);
      return each(feasible, [&](NodeIndex n) { return scorer.score(snapshot.nodes()[n]); });
    }
    case Plugin::kNodeResourcesBalancedAllocation: {
      auto scorer = ResourceScorer::balanced(profile.arguments, spec, snapshot.resources());
      scorer.count_devices(devices);
      if (scorer.asks_for_nothing()) return {};
      return each(feasible, [&](NodeIndex n) { return scorer.score(snapshot.nodes()[n]); });
    }
    case Plugin::kImageLocality:
      return each(feasible, [&](NodeIndex n) { return image_locality(snapshot, spec, n); });
    case Plugin::kPodTopologySpread:
      return spread_scores(snapshot, profile, pod, feasible);
    case Plugin::kInterPodAffinity:
      return pod_affinity_scores(snapshot, profile, pod, feasible);
    case Plugin::kDynamicResources: {
      if (!devices) return {};
      auto out = each(feasible, [&](NodeIndex n) { return devices->preference(n); });
      normalise(out, false);
      return out;
    }
    default:
      return {};
  }
}

}  // namespace

ScoreTable score_nodes(Snapshot& snapshot, const Profile& profile, PodIndex pod, const PodDevices* devices,
                       const std::vector<NodeIndex>& feasible) {
  ScoreTable out;
  out.total.assign(feasible.size(), 0);
  for (const auto& [plugin, weight] : profile.scores) {
    auto scores = plugin_scores(snapshot, profile, plugin, pod, devices, feasible);
    if (!scores) continue;
    for (std::size_t i = 0; i < scores->size(); ++i) out.total[i] += (*scores)[i] *= weight;
    out.columns.push_back({plugin, std::move(*scores)});
  }
  return out;
}

}  // namespace etiage::placement
