#include "engines/placement/kube/spread.h"

#include <algorithm>
#include <cmath>

#include "engines/placement/kube/node_rules.h"
#include "model/selector.h"

namespace etiage::placement {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::int64_t kHighest = 100;

std::vector<TopologySpreadConstraint> system_defaults() {
  TopologySpreadConstraint host{
      .max_skew = 3, .topology_key = std::string(kHostname), .do_not_schedule = false};
  TopologySpreadConstraint zone{.max_skew = 5, .topology_key = std::string(kZone), .do_not_schedule = false};
  return {host, zone};
}

void add_pairs(LabelSelector& selector, const LabelMap& pairs) {
  for (const auto& [key, value] : pairs) selector.match_labels.insert_or_assign(key, value);
}

const PodController* controller_of(const SchedulingInput& input, const Pod& pod) {
  const auto owner = std::ranges::find_if(pod.meta.owners, &OwnerReference::controller);
  if (owner == pod.meta.owners.end()) return nullptr;
  const auto it = std::ranges::find_if(input.controllers, [&](const PodController& c) {
    return c.kind == owner->kind && c.meta.ns == pod.meta.ns && c.meta.name == owner->name;
  });
  return it == input.controllers.end() ? nullptr : &*it;
}

/// What the services and the controller of a pod select; empty where nothing does.
LabelSelector default_selector(const SchedulingInput& input, const Pod& pod) {
  LabelSelector out;
  for (const Service& s : input.services)
    if (s.meta.ns == pod.meta.ns && s.selector && contains_all(pod.meta.labels, *s.selector))
      add_pairs(out, *s.selector);
  if (const PodController* c = controller_of(input, pod)) {
    // Requirements are added, not merged: a contradiction selects nothing.
    for (const auto& [key, value] : c->selector.match_labels)
      out.match_expressions.push_back({key, Requirement::Operator::kIn, {value}});
    out.match_expressions.insert(out.match_expressions.end(), c->selector.match_expressions.begin(),
                                 c->selector.match_expressions.end());
  }
  return out;
}

/// The selector narrowed to the pod's own values of matchLabelKeys.
PodSelector selector_of(const TopologySpreadConstraint& c, const LabelMap& labels) {
  PodSelector out = c.selector;
  if (!out) return out;
  for (const std::string& key : c.match_label_keys)
    if (const auto it = labels.find(key); it != labels.end())
      out->match_expressions.push_back({key, Requirement::Operator::kIn, {it->second}});
  return out;
}

/// The written constraints of one kind with their selectors.
std::vector<std::pair<TopologySpreadConstraint, PodSelector>> written(const Snapshot& snapshot,
                                                                      const Profile& profile, const Pod& pod,
                                                                      bool hard) {
  std::vector<std::pair<TopologySpreadConstraint, PodSelector>> out;
  if (!pod.spec.spread.empty()) {
    for (const auto& c : pod.spec.spread)
      if (c.do_not_schedule == hard) out.emplace_back(c, selector_of(c, pod.meta.labels));
    return out;
  }
  const auto defaults =
      profile.arguments.default_spread ? *profile.arguments.default_spread : system_defaults();
  const LabelSelector selector = default_selector(snapshot.input(), pod);
  if (is_empty(selector)) return out;
  for (const auto& c : defaults)
    if (c.do_not_schedule == hard) out.emplace_back(c, selector);
  return out;
}

/// By shape: is a pod of it counted? Pods that are being deleted are not.
std::vector<std::int8_t> selected_shapes(const Snapshot& snapshot, const PodSelector& selector,
                                         const std::string& ns) {
  std::vector<std::int8_t> out;
  for (const PodShape& s : snapshot.shapes()) out.push_back(s.ns() == ns && matches(selector, s.labels()));
  return out;
}

/// An empty selector takes every pod but counts none.
std::int64_t count_on(const Snapshot& snapshot, const NodeInfo& node, const SpreadConstraint& c) {
  std::int64_t n = 0;
  if (c.selected.empty()) return 0;
  for (const PodIndex p : node.pods)
    n += c.selected[snapshot.record(p).shape] && !snapshot.pod(p).meta.deleted;
  return n;
}

}  // namespace

std::vector<SpreadConstraint> spread_constraints(Snapshot& snapshot, const Profile& profile, PodIndex pod,
                                                 bool hard) {
  const Pod& p = snapshot.pod(pod);
  std::vector<SpreadConstraint> out;
  for (const auto& [c, selector] : written(snapshot, profile, p, hard)) {
    SpreadConstraint compiled{.max_skew = c.max_skew,
                              .min_domains = c.min_domains.value_or(1),
                              .hostname = c.topology_key == kHostname,
                              .counts_itself = matches(selector, p.meta.labels),
                              .topology = &snapshot.topology(c.topology_key)};
    for (const Node& node : snapshot.input().nodes)
      compiled.included.push_back((!c.honor_node_affinity || matches_required(p.spec, node)) &&
                                  (!c.honor_node_taints || tolerates_scheduling(p.spec, node)));
    if (!selector || !is_empty(*selector)) compiled.selected = selected_shapes(snapshot, selector, p.meta.ns);
    out.push_back(std::move(compiled));
  }
  return out;
}

SpreadFilter::SpreadFilter(Snapshot& snapshot, const Profile& profile, PodIndex pod)
    : constraints_(spread_constraints(snapshot, profile, pod, true)), ns_(snapshot.pod(pod).meta.ns) {
  for (const SpreadConstraint& c : constraints_)
    counts_.push_back({std::vector<std::int64_t>(static_cast<std::size_t>(c.topology->domains), -1)});
  if (constraints_.empty()) return;
  for (const NodeInfo& node : snapshot.nodes()) {
    if (!has_all_labels(node.index)) continue;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      if (!constraints_[i].included[node.index]) continue;
      std::int64_t& count =
          counts_[i].of_domain[static_cast<std::size_t>(constraints_[i].topology->domain_of[node.index])];
      if (count < 0) count = 0, ++counts_[i].known;
      count += count_on(snapshot, node, constraints_[i]);
    }
  }
}

bool SpreadFilter::has_all_labels(NodeIndex node) const {
  return std::ranges::all_of(constraints_,
                             [&](const SpreadConstraint& c) { return c.topology->domain_of[node] >= 0; });
}

SpreadFilter::Verdict SpreadFilter::check(NodeIndex node) const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const SpreadConstraint& c = constraints_[i];
    const std::int32_t domain = c.topology->domain_of[node];
    if (domain < 0) return Verdict::kMissingLabel;
    std::int64_t least = INT64_MAX;
    for (const auto count : counts_[i].of_domain)
      if (count >= 0) least = std::min(least, count);
    if (counts_[i].known < c.min_domains || counts_[i].known == 0) least = 0;
    const std::int64_t here =
        std::max<std::int64_t>(counts_[i].of_domain[static_cast<std::size_t>(domain)], 0);
    if (here + c.counts_itself - least > c.max_skew) return Verdict::kTooUneven;
  }
  return Verdict::kFits;
}

void SpreadFilter::update(const Snapshot& snapshot, PodIndex pod, NodeIndex node, int sign) {
  const PodShape& shape = snapshot.shape_of(pod);
  if (constraints_.empty() || shape.ns() != ns_ || !has_all_labels(node)) return;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const SpreadConstraint& c = constraints_[i];
    const bool counted = c.selected.empty() || c.selected[snapshot.record(pod).shape];
    if (!counted || !c.included[node]) continue;
    counts_[i].of_domain[static_cast<std::size_t>(c.topology->domain_of[node])] += sign;
  }
}

namespace {

/// The raw score: how crowded the node's domains are, small domains weighing no less than large ones.
class SpreadScorer {
 public:
  SpreadScorer(Snapshot& snapshot, const std::vector<SpreadConstraint>& constraints,
               const std::vector<NodeIndex>& feasible, bool need_all)
      : snapshot_(snapshot), constraints_(constraints), need_all_(need_all) {
    std::int64_t scored = 0;
    for (const NodeIndex n : feasible) scored += !ignores(n);
    for (const SpreadConstraint& c : constraints_) {
      auto& counts = counts_.emplace_back(static_cast<std::size_t>(c.topology->domains) + 1, -1);
      std::int64_t size = 0;
      for (const NodeIndex n : feasible)
        if (!ignores(n) && !c.hostname && counts[slot(c, n)] < 0) counts[slot(c, n)] = 0, ++size;
      weights_.push_back(std::log(static_cast<double>((c.hostname ? scored : size) + 2)));
      for (const NodeInfo& node : snapshot_.nodes())
        if (!ignores(node.index) && c.included[node.index] && counts[slot(c, node.index)] >= 0)
          counts[slot(c, node.index)] += count_on(snapshot_, node, c);
    }
  }

  bool ignores(NodeIndex n) const {
    return need_all_ &&
           std::ranges::any_of(constraints_, [&](const auto& c) { return c.topology->domain_of[n] < 0; });
  }

  std::int64_t raw(NodeIndex n) const {
    double sum = 0;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const SpreadConstraint& c = constraints_[i];
      if (c.topology->domain_of[n] < 0) continue;
      const std::int64_t count =
          c.hostname ? count_on(snapshot_, snapshot_.nodes()[n], c) : counts_[i][slot(c, n)];
      sum += static_cast<double>(count) * weights_[i] + static_cast<double>(c.max_skew - 1);
    }
    return static_cast<std::int64_t>(std::round(sum));
  }

 private:
  /// Nodes without the label share a domain of their own.
  static std::size_t slot(const SpreadConstraint& c, NodeIndex n) {
    return static_cast<std::size_t>(c.topology->domain_of[n] + 1);
  }

  Snapshot& snapshot_;
  const std::vector<SpreadConstraint>& constraints_;
  bool need_all_;
  std::vector<std::vector<std::int64_t>> counts_;  ///< by constraint and slot; -1: no candidate lies there
  std::vector<double> weights_;
};

}  // namespace

std::optional<std::vector<std::int64_t>> spread_scores(Snapshot& snapshot, const Profile& profile,
                                                       PodIndex pod, const std::vector<NodeIndex>& feasible) {
  const auto constraints = spread_constraints(snapshot, profile, pod, false);
  if (constraints.empty()) return {};
  const bool need_all =
      !snapshot.pod(pod).spec.spread.empty() || profile.arguments.default_spread.has_value();
  const SpreadScorer scorer(snapshot, constraints, feasible, need_all);
  std::vector<std::int64_t> out;
  std::int64_t least = INT64_MAX, most = 0;
  for (const NodeIndex n : feasible) {
    out.push_back(scorer.ignores(n) ? -1 : scorer.raw(n));
    if (out.back() < 0) continue;
    least = std::min(least, out.back());
    most = std::max(most, out.back());
  }
  for (std::int64_t& s : out) s = s < 0 ? 0 : most == 0 ? kHighest : kHighest * (most + least - s) / most;
  return out;
}

}  // namespace etiage::placement
