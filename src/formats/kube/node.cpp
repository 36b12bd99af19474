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

}  // namespace

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
