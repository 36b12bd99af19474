#include "engines/placement/kube/pod_affinity.h"

#include <algorithm>

#include "model/selector.h"

namespace etiage::placement {
namespace {

/// Namespaces named, or the owner's own where none is named and none selected.
bool names_namespace(const PodAffinityTerm& term, const std::string& owner_ns, const std::string& ns) {
  if (term.namespaces.empty() && !term.namespace_selector) return ns == owner_ns;
  return std::ranges::find(term.namespaces, ns) != term.namespaces.end();
}

/// A term of the pod at hand: its namespace selector is resolved among the Namespace objects.
bool takes_existing(const Snapshot& snapshot, const PodAffinityTerm& term, const std::string& owner_ns,
                    const PodShape& other) {
  bool here = names_namespace(term, owner_ns, other.ns());
  if (!here && term.namespace_selector) {
    const auto& all = snapshot.input().namespaces;
    here = is_empty(*term.namespace_selector) || std::ranges::any_of(all, [&](const ObjectMeta& n) {
             return n.name == other.ns() && matches(*term.namespace_selector, n.labels);
           });
  }
  return here && matches(term.selector, other.labels());
}

/// A term of a pod that runs already: its namespace selector sees the labels of the newcomer's namespace.
bool takes_newcomer(const Snapshot& snapshot, const PodAffinityTerm& term, const std::string& owner_ns,
                    const PodShape& newcomer) {
  const bool here = names_namespace(term, owner_ns, newcomer.ns()) ||
                    matches(term.namespace_selector, snapshot.namespace_labels(newcomer.ns()));
  return here && matches(term.selector, newcomer.labels());
}

std::vector<CompiledTerm> compile(Snapshot& snapshot, const std::vector<PodAffinityTerm>& terms,
                                  const std::string& ns, int sign = 1) {
  std::vector<CompiledTerm> out;
  for (const PodAffinityTerm& term : terms) {
    CompiledTerm c{&snapshot.topology(term.topology_key), term.weight * sign, {}};
    for (const PodShape& shape : snapshot.shapes())
      c.takes.push_back(takes_existing(snapshot, term, ns, shape));
    out.push_back(std::move(c));
  }
  return out;
}

/// A preference of pods of one shape for the pod at hand.
struct Wish {
  const Topology* topology;
  std::int64_t weight;
};

/// What pods of `shape` wish of the newcomer: required affinity counts with the configured weight.
std::vector<Wish> wishes_of(Snapshot& snapshot, const PodShape& shape, const PodShape& newcomer,
                            std::int32_t hard_weight) {
  std::vector<Wish> out;
  const Affinity& a = shape.example.spec.affinity;
  const auto add = [&](const std::vector<PodAffinityTerm>& terms, std::int64_t sign, std::int32_t fixed) {
    for (const PodAffinityTerm& t : terms)
      if (takes_newcomer(snapshot, t, shape.ns(), newcomer))
        out.push_back({&snapshot.topology(t.topology_key), sign * (fixed ? fixed : t.weight)});
  };
  if (hard_weight > 0) add(a.pod_required, 1, hard_weight);
  add(a.pod_preferred, 1, 0);
  add(a.anti_preferred, -1, 0);
  return out;
}

std::vector<std::int64_t> normalised(const std::vector<std::int64_t>& raw) {
  constexpr double kHighest = 100;
  const auto [least, most] = std::ranges::minmax(raw);
  std::vector<std::int64_t> out;
  for (const std::int64_t s : raw)
    out.push_back(most == least ? 0
                                : static_cast<std::int64_t>(kHighest * (static_cast<double>(s - least) /
                                                                        static_cast<double>(most - least))));
  return out;
}

}  // namespace

void DomainCounts::add(const Topology& topology, NodeIndex node, std::int64_t amount) {
  const std::int32_t domain = topology.domain_of[node];
  if (domain < 0) return;
  const auto it = counts_.try_emplace({&topology, domain}, 0).first;
  it->second += amount;
  if (it->second == 0) counts_.erase(it);
}

std::int64_t DomainCounts::at(const Topology& topology, NodeIndex node) const {
  const auto it = counts_.find({&topology, topology.domain_of[node]});
  return it == counts_.end() ? 0 : it->second;
}

bool DomainCounts::any_positive(NodeIndex node) const {
  return std::ranges::any_of(counts_, [&](const auto& entry) {
    return entry.second > 0 && entry.first.first->domain_of[node] == entry.first.second;
  });
}

PodAffinityFilter::PodAffinityFilter(Snapshot& snapshot, PodIndex pod)
    : own_shape_(snapshot.record(pod).shape) {
  const PodShape& own = snapshot.shape_of(pod);
  affinity_ = compile(snapshot, own.example.spec.affinity.pod_required, own.ns());
  anti_ = compile(snapshot, own.example.spec.affinity.anti_required, own.ns());
  for (ShapeIndex s = 0; s < snapshot.shapes().size(); ++s)
    for (const PodAffinityTerm& term : snapshot.shapes()[s].example.spec.affinity.anti_required)
      if (takes_newcomer(snapshot, term, snapshot.shapes()[s].ns(), own))
        against_us_[s].push_back(&snapshot.topology(term.topology_key));
  if (affinity_.empty() && anti_.empty() && against_us_.empty()) return;
  for (const NodeInfo& node : snapshot.nodes())
    for (const PodIndex p : node.pods) count(snapshot, p, node.index, 1);
  skipped_ = affinity_.empty() && anti_.empty() && existing_counts_.empty();
}

void PodAffinityFilter::update(const Snapshot& snapshot, PodIndex pod, NodeIndex node, int sign) {
  if (!skipped_) count(snapshot, pod, node, sign);
}

bool PodAffinityFilter::takes_all(ShapeIndex shape) const {
  return !affinity_.empty() &&
         std::ranges::all_of(affinity_, [&](const CompiledTerm& t) { return t.takes[shape] != 0; });
}

void PodAffinityFilter::count(const Snapshot& snapshot, PodIndex pod, NodeIndex node, int sign) {
  const ShapeIndex shape = snapshot.record(pod).shape;
  if (const auto it = against_us_.find(shape); it != against_us_.end())
    for (const Topology* t : it->second) existing_counts_.add(*t, node, sign);
  if (takes_all(shape))
    for (const CompiledTerm& t : affinity_) affinity_counts_.add(*t.topology, node, sign);
  for (const CompiledTerm& t : anti_)
    if (t.takes[shape]) anti_counts_.add(*t.topology, node, sign);
}

/// A pod that takes itself may be the first of its group: it is let in where no pod matches anywhere.
bool PodAffinityFilter::affinity_holds(NodeIndex node) const {
  bool near = true;
  for (const CompiledTerm& t : affinity_) {
    if (t.topology->domain_of[node] < 0) return false;
    near &= affinity_counts_.at(*t.topology, node) > 0;
  }
  return near || (affinity_counts_.empty() && takes_all(own_shape_));
}

PodAffinityFilter::Verdict PodAffinityFilter::check(NodeIndex node) const {
  if (!affinity_holds(node)) return Verdict::kNoAffinity;
  for (const CompiledTerm& t : anti_)
    if (t.topology->domain_of[node] >= 0 && anti_counts_.at(*t.topology, node) > 0)
      return Verdict::kAntiAffinity;
  return existing_counts_.any_positive(node) ? Verdict::kExistingAntiAffinity : Verdict::kFits;
}

std::optional<std::vector<std::int64_t>> pod_affinity_scores(Snapshot& snapshot, const Profile& profile,
                                                             PodIndex pod,
                                                             const std::vector<NodeIndex>& feasible) {
  const PodShape& own = snapshot.shape_of(pod);
  const Affinity& a = own.example.spec.affinity;
  const bool prefers = !a.pod_preferred.empty() || !a.anti_preferred.empty();
  if (profile.arguments.ignore_preferred_terms_of_existing_pods && !prefers) return {};
  auto wanted = compile(snapshot, a.pod_preferred, own.ns());
  const auto unwanted = compile(snapshot, a.anti_preferred, own.ns(), -1);
  wanted.insert(wanted.end(), unwanted.begin(), unwanted.end());

  std::map<std::pair<const Topology*, std::int32_t>, std::int64_t> sums;
  std::vector<std::vector<Wish>> wishes;
  for (const PodShape& shape : snapshot.shapes())
    wishes.push_back(wishes_of(snapshot, shape, own, profile.arguments.hard_pod_affinity_weight));
  for (const NodeInfo& node : snapshot.nodes())
    for (const PodIndex p : node.pods) {
      const ShapeIndex shape = snapshot.record(p).shape;
      const auto add = [&](const Topology& t, std::int64_t weight) {
        if (t.domain_of[node.index] >= 0) sums[{&t, t.domain_of[node.index]}] += weight;
      };
      for (const CompiledTerm& t : wanted)
        if (t.takes[shape]) add(*t.topology, t.weight);
      for (const Wish& w : wishes[shape]) add(*w.topology, w.weight);
    }
  if (sums.empty()) return {};
  std::vector<std::int64_t> raw;
  for (const NodeIndex n : feasible) {
    std::int64_t sum = 0;
    for (const auto& [where, weight] : sums)
      if (where.first->domain_of[n] == where.second) sum += weight;
    raw.push_back(sum);
  }
  return normalised(raw);
}

}  // namespace etiage::placement
