#include "engines/placement/kube/node_rules.h"

#include <algorithm>

#include "model/node_selector.h"
#include "model/selector.h"

namespace etiage::placement {
namespace {

bool forbids_scheduling(const Taint& taint) {
  return taint.effect == TaintEffect::kNoSchedule || taint.effect == TaintEffect::kNoExecute;
}

bool node_has(const Snapshot& snapshot, NodeIndex node, const std::string& image) {
  return std::ranges::any_of(snapshot.input().nodes[node].images, [&](const NodeImage& i) {
    return std::ranges::find(i.names, image) != i.names.end();
  });
}

std::string with_tag(const std::string& image) {
  const auto colon = image.rfind(':'), slash = image.rfind('/');
  const bool tagged = colon != std::string::npos && (slash == std::string::npos || colon > slash);
  return tagged ? image : image + ":latest";
}

}  // namespace

bool matches_required(const PodSpec& spec, const Node& node) {
  const NodeIdentity identity{node.meta.name, node.meta.labels};
  return contains_all(node.meta.labels, spec.node_selector) &&
         (!spec.affinity.node_required || matches(*spec.affinity.node_required, identity));
}

bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::ranges::any_of(tolerations, [&](const Toleration& t) {
    if (t.effect && *t.effect != taint.effect) return false;
    if (!t.key.empty() && t.key != taint.key) return false;
    if (t.op.empty() || t.op == "Equal") return t.value == taint.value;
    return t.op == "Exists";
  });
}

bool tolerates_scheduling(const PodSpec& spec, const Node& node) {
  return std::ranges::all_of(
      node.taints, [&](const Taint& t) { return !forbids_scheduling(t) || tolerates(spec.tolerations, t); });
}

bool is_cordoned_for(const PodSpec& spec, const Node& node) {
  return node.unschedulable && !tolerates(spec.tolerations, {.key = "node.kubernetes.io/unschedulable",
                                                             .effect = TaintEffect::kNoSchedule});
}

std::int64_t untolerated_preferences(const PodSpec& spec, const Node& node) {
  return std::ranges::count_if(node.taints, [&](const Taint& t) {
    return t.effect == TaintEffect::kPreferNoSchedule && !tolerates(spec.tolerations, t);
  });
}

std::int64_t node_preference(const std::vector<WeightedNodeTerm>& terms, const Node& node) {
  std::int64_t sum = 0;
  for (const WeightedNodeTerm& t : terms)
    if (t.weight != 0 && matches(t.term, NodeIdentity{node.meta.name, node.meta.labels})) sum += t.weight;
  return sum;
}

std::int64_t image_locality(const Snapshot& snapshot, const PodSpec& spec, NodeIndex node) {
  constexpr std::int64_t kMib = 1024 * 1024, kLeast = 23 * kMib, kMostEach = 1000 * kMib, kHighest = 100;
  std::int64_t sum = 0;
  const auto add = [&](const std::vector<Container>& containers) {
    for (const Container& c : containers) {
      const std::string image = with_tag(c.image);
      if (!node_has(snapshot, node, image)) continue;
      const auto [holders, size] = snapshot.image_spread_and_size(image);
      const double spread = static_cast<double>(holders) / static_cast<double>(snapshot.nodes().size());
      sum += static_cast<std::int64_t>(static_cast<double>(size) * spread);
    }
  };
  add(spec.init_containers);
  add(spec.containers);
  const auto images = static_cast<std::int64_t>(spec.init_containers.size() + spec.containers.size());
  const std::int64_t most = kMostEach * images;
  return kHighest * (std::clamp(sum, kLeast, std::max(most, kLeast)) - kLeast) /
         std::max<std::int64_t>(most - kLeast, 1);
}

std::optional<std::vector<std::string>> restricted_to_names(const PodSpec& spec) {
  if (!spec.affinity.node_required || spec.affinity.node_required->empty()) return {};
  std::vector<std::string> names;
  for (const NodeSelectorTerm& term : *spec.affinity.node_required) {
    std::optional<std::vector<std::string>> of_term;
    for (const Requirement& r : term.match_fields) {
      if (r.key != "metadata.name" || r.op != Requirement::Operator::kIn) continue;
      if (!of_term) {
        of_term = r.values;
      } else {
        std::erase_if(*of_term,
                      [&](const auto& name) { return std::ranges::find(r.values, name) == r.values.end(); });
      }
    }
    if (!of_term) return {};
    names.insert(names.end(), of_term->begin(), of_term->end());
  }
  return names;
}

}  // namespace etiage::placement
