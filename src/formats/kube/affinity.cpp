#include "formats/kube/affinity.h"

#include "formats/kube/meta.h"

namespace etiage::formats {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

std::int32_t read_int32(const Tree& tree, std::int32_t fallback) {
  const auto value = tree.as_int();
  return value && *value >= INT32_MIN && *value <= INT32_MAX ? static_cast<std::int32_t>(*value) : fallback;
}

std::optional<LabelSelector> read_optional_selector(const Tree& tree) {
  if (tree.is_null()) return std::nullopt;
  return read_label_selector(tree);
}

std::vector<std::string> read_texts(const Tree& tree) {
  std::vector<std::string> out;
  for (const Tree& item : tree.items()) out.push_back(item.text());
  return out;
}

void require_labels(LabelSelector& selector, const std::vector<std::string>& keys, Requirement::Operator op,
                    const LabelMap& labels) {
  for (const std::string& key : keys)
    if (const auto it = labels.find(key); it != labels.end())
      selector.match_expressions.push_back({key, op, {it->second}});
}

PodAffinityTerm read_term(const Tree& tree, std::int32_t weight, const LabelMap& labels) {
  PodAffinityTerm term{.selector = read_optional_selector(tree["labelSelector"]),
                       .namespaces = read_texts(tree["namespaces"]),
                       .namespace_selector = read_optional_selector(tree["namespaceSelector"]),
                       .topology_key = tree["topologyKey"].text(),
                       .match_label_keys = read_texts(tree["matchLabelKeys"]),
                       .mismatch_label_keys = read_texts(tree["mismatchLabelKeys"]),
                       .weight = weight};
  if (term.selector) {
    require_labels(*term.selector, term.match_label_keys, Requirement::Operator::kIn, labels);
    require_labels(*term.selector, term.mismatch_label_keys, Requirement::Operator::kNotIn, labels);
  }
  return term;
}

void read_pod_terms(const Tree& tree, const LabelMap& labels, std::vector<PodAffinityTerm>& required,
                    std::vector<PodAffinityTerm>& preferred) {
  for (const Tree& term : tree[kRequired].items()) required.push_back(read_term(term, 0, labels));
  for (const Tree& item : tree[kPreferred].items())
    preferred.push_back(read_term(item["podAffinityTerm"], read_int32(item["weight"], 0), labels));
}

TopologySpreadConstraint read_constraint(const Tree& tree) {
  TopologySpreadConstraint c{.max_skew = read_int32(tree["maxSkew"], 1),
                             .topology_key = tree["topologyKey"].text(),
                             .do_not_schedule = tree["whenUnsatisfiable"].text() != "ScheduleAnyway",
                             .selector = read_optional_selector(tree["labelSelector"]),
                             .honor_node_affinity = tree["nodeAffinityPolicy"].text() != "Ignore",
                             .honor_node_taints = tree["nodeTaintsPolicy"].text() == "Honor",
                             .match_label_keys = read_texts(tree["matchLabelKeys"])};
  if (tree.has("minDomains")) c.min_domains = read_int32(tree["minDomains"], 1);
  return c;
}

}  // namespace

std::vector<WeightedNodeTerm> read_node_preferences(const Tree& tree) {
  std::vector<WeightedNodeTerm> out;
  for (const Tree& item : tree.items())
    out.push_back({read_int32(item["weight"], 0), read_node_selector_term(item["preference"])});
  return out;
}

Affinity read_affinity(const Tree& tree, const LabelMap& labels) {
  Affinity out;
  const Tree& node = tree["nodeAffinity"];
  if (node.has(kRequired)) out.node_required = read_node_selector(node[kRequired]);
  out.node_preferred = read_node_preferences(node[kPreferred]);
  read_pod_terms(tree["podAffinity"], labels, out.pod_required, out.pod_preferred);
  read_pod_terms(tree["podAntiAffinity"], labels, out.anti_required, out.anti_preferred);
  return out;
}

std::vector<TopologySpreadConstraint> read_topology_spread(const Tree& tree) {
  std::vector<TopologySpreadConstraint> out;
  for (const Tree& item : tree.items()) out.push_back(read_constraint(item));
  return out;
}

}  // namespace etiage::formats
