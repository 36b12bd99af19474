#include "formats/kube/node.h"

#include "formats/kube/meta.h"
#include "formats/kube/resources.h"

namespace etiage::formats {
namespace {

TaintEffect read_effect(const std::string& text) {
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  return text == "NoExecute" ? TaintEffect::kNoExecute : TaintEffect::kNoSchedule;
}

NodeImage read_image(const Tree& tree) {
  NodeImage out;
  for (const Tree& name : tree["names"].items()) out.names.push_back(name.text());
  out.bytes = tree["sizeBytes"].as_int().value_or(0);
  return out;
}

const char* effect_text(TaintEffect effect) {
  if (effect == TaintEffect::kPreferNoSchedule) return "PreferNoSchedule";
  return effect == TaintEffect::kNoExecute ? "NoExecute" : "NoSchedule";
}

Tree label_tree(const LabelMap& labels) {
  Tree out = Tree::map();
  for (const auto& [key, value] : labels) out.set(key, Tree::string(value));
  return out;
}

Tree resource_tree(const ResourceList& list) {
  Tree out = Tree::map();
  for (const auto& [name, amount] : list) out.set(name, Tree::string(amount.canonical()));
  return out;
}

}  // namespace

Tree node_tree(const Node& node) {
  Tree taints = Tree::sequence(), conditions = Tree::sequence();
  for (const Taint& t : node.taints)
    taints.push(Tree::map({{"key", Tree::string(t.key)},
                           {"value", Tree::string(t.value)},
                           {"effect", Tree::string(effect_text(t.effect))}}));
  for (const Condition& c : node.conditions)
    conditions.push(Tree::map({{"type", Tree::string(c.type)}, {"status", Tree::string(c.status)}}));
  Tree meta = Tree::map({{"name", Tree::string(node.meta.name)},
                         {"labels", label_tree(node.meta.labels)},
                         {"annotations", label_tree(node.meta.annotations)}});
  if (node.meta.created) meta.set("creationTimestamp", Tree::string(to_string(*node.meta.created)));
  return Tree::map({{"apiVersion", Tree::string("v1")},
                    {"kind", Tree::string("Node")},
                    {"metadata", std::move(meta)},
                    {"spec", Tree::map({{"unschedulable", Tree::boolean(node.unschedulable)},
                                        {"providerID", Tree::string(node.provider_id)},
                                        {"taints", std::move(taints)}})},
                    {"status", Tree::map({{"capacity", resource_tree(node.capacity)},
                                          {"allocatable", resource_tree(node.allocatable)},
                                          {"conditions", std::move(conditions)}})}});
}

std::vector<Taint> read_taints(const Tree& tree) {
  std::vector<Taint> out;
  for (const Tree& t : tree.items())
    out.push_back({t["key"].text(), t["value"].text(), read_effect(t["effect"].text()),
                   parse_instant(t["timeAdded"].text())});
  return out;
}

std::vector<Condition> read_conditions(const Tree& tree) {
  std::vector<Condition> out;
  for (const Tree& c : tree.items())
    out.push_back({c["type"].text(), c["status"].text(), c["reason"].text(), c["message"].text(),
                   parse_instant(c["lastTransitionTime"].text())});
  return out;
}

Node read_node(const Tree& object, const std::string& file, Diagnostics& diagnostics) {
  Node out{.meta = read_meta(object, file, false)};
  const FieldReading reading{file, "Node " + out.meta.name, diagnostics};
  out.unschedulable = object["spec"]["unschedulable"].as_bool().value_or(false);
  out.taints = read_taints(object["spec"]["taints"]);
  out.provider_id = object["spec"]["providerID"].text();
  const Tree& status = object["status"];
  out.capacity = read_resource_list(status["capacity"], "status.capacity", reading);
  // The API server takes the capacity for what may be allocated where nothing else is said.
  out.allocatable = status.has("allocatable")
                        ? read_resource_list(status["allocatable"], "status.allocatable", reading)
                        : out.capacity;
  out.conditions = read_conditions(status["conditions"]);
  for (const Tree& image : status["images"].items()) out.images.push_back(read_image(image));
  return out;
}

}  // namespace etiage::formats
