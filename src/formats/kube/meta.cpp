#include "formats/kube/meta.h"

#include <optional>

namespace etiage::formats {
namespace {

/// Nothing for an operator that Kubernetes does not know.
std::optional<Requirement::Operator> read_operator(const std::string& text) {
  using enum Requirement::Operator;
  if (text == "In") return kIn;
  if (text == "NotIn") return kNotIn;
  if (text == "Exists") return kExists;
  if (text == "DoesNotExist") return kDoesNotExist;
  if (text == "Gt") return kGt;
  if (text == "Lt") return kLt;
  return std::nullopt;
}

}  // namespace

LabelMap read_label_map(const Tree& tree) {
  LabelMap out;
  for (const auto& [key, value] : tree.members()) out.insert_or_assign(key, value.text());
  return out;
}

ObjectMeta read_meta(const Tree& object, const std::string& file, bool namespaced) {
  const Tree& tree = object["metadata"];
  ObjectMeta meta;
  meta.ns = tree["namespace"].text();
  if (meta.ns.empty() && namespaced) meta.ns = "default";
  meta.name = tree["name"].text();
  meta.generate_name = tree["generateName"].text();
  meta.uid = tree["uid"].text();
  meta.labels = read_label_map(tree["labels"]);
  meta.annotations = read_label_map(tree["annotations"]);
  for (const Tree& owner : tree["ownerReferences"].items())
    meta.owners.push_back({owner["apiVersion"].text(), owner["kind"].text(), owner["name"].text(),
                           owner["uid"].text(), owner["controller"].as_bool().value_or(false)});
  meta.created = parse_instant(tree["creationTimestamp"].text());
  meta.deleted = parse_instant(tree["deletionTimestamp"].text());
  meta.generation = tree["generation"].as_int().value_or(0);
  meta.place = {file, object.line, 0, {}};
  return meta;
}

std::vector<Requirement> read_requirements(const Tree& tree) {
  std::vector<Requirement> out;
  for (const Tree& item : tree.items()) {
    const auto op = read_operator(item["operator"].text());
    Requirement requirement{item["key"].text(), op.value_or(Requirement::Operator::kIn), {}};
    for (const Tree& value : item["values"].items())
      if (op) requirement.values.push_back(value.text());
    out.push_back(std::move(requirement));
  }
  return out;
}

LabelSelector read_label_selector(const Tree& tree) {
  return {read_label_map(tree["matchLabels"]), read_requirements(tree["matchExpressions"])};
}

NodeSelectorTerm read_node_selector_term(const Tree& tree) {
  return {read_requirements(tree["matchExpressions"]), read_requirements(tree["matchFields"])};
}

NodeSelector read_node_selector(const Tree& tree) {
  NodeSelector out;
  for (const Tree& term : tree["nodeSelectorTerms"].items()) out.push_back(read_node_selector_term(term));
  return out;
}

}  // namespace etiage::formats
