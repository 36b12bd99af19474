// ResourceSlices: what drivers offer.

#include "formats/kube/dra_fields.h"
#include "formats/kube/meta.h"

namespace etiage::formats::dra {
namespace {

template <class T, class Read>
std::vector<T> read_list(const Tree& tree, Read read) {
  std::vector<T> out;
  for (const Tree& item : tree.items()) out.push_back(read(item));
  return out;
}

DeviceAttribute read_attribute(const Tree& tree, const std::string& path, const Reading& reading) {
  if (tree.has("int")) {
    if (const auto value = tree["int"].as_int()) return *value;
    reading.remark(tree, path, "dra-bad-attribute", "\"" + tree["int"].text() + "\" is not a 64-bit integer");
    return std::monostate{};
  }
  if (tree.has("bool")) return tree["bool"].as_bool().value_or(false);
  if (tree.has("string")) return tree["string"].text();
  if (tree.has("version")) return SemanticVersion{tree["version"].text()};
  if (tree.has("ints"))
    return read_list<std::int64_t>(tree["ints"], [](const Tree& t) { return t.as_int().value_or(0); });
  if (tree.has("bools"))
    return read_list<bool>(tree["bools"], [](const Tree& t) { return t.as_bool().value_or(false); });
  if (tree.has("strings")) return read_strings(tree["strings"]);
  if (tree.has("versions"))
    return read_list<SemanticVersion>(tree["versions"],
                                      [](const Tree& t) { return SemanticVersion{t.text()}; });
  reading.remark(tree, path, "dra-bad-attribute", "has none of int, bool, string, version or a list of them",
                 "every selector on this device fails with \"unsupported attribute value\"");
  return std::monostate{};
}

CapacityRequestPolicy read_policy(const Tree& tree, const std::string& path, const Reading& reading) {
  CapacityRequestPolicy out;
  out.standard = read_quantity(tree["default"], path + ".default", reading);
  if (tree["validValues"].is_sequence()) {
    out.values.emplace();
    for (const Tree& value : tree["validValues"].items())
      if (auto quantity = read_quantity(value, path + ".validValues", reading))
        out.values->push_back(*quantity);
  }
  if (const Tree& range = tree["validRange"]; range.is_map())
    out.range = CapacityRange{read_quantity(range["min"], path + ".validRange.min", reading),
                              read_quantity(range["max"], path + ".validRange.max", reading),
                              read_quantity(range["step"], path + ".validRange.step", reading)};
  return out;
}

void read_capacity(const Tree& tree, const std::string& path, const Reading& reading, Device& device) {
  for (const auto& [name, capacity] : tree.members()) {
    const Tree& value = capacity.is_map() ? capacity["value"] : capacity;
    auto quantity = read_quantity(value, path + "." + name, reading);
    if (!quantity) continue;
    DeviceCapacity out{std::move(*quantity), std::nullopt};
    if (capacity["requestPolicy"].is_map())
      out.policy = read_policy(capacity["requestPolicy"], path + "." + name + ".requestPolicy", reading);
    device.capacity.emplace(name, std::move(out));
  }
}

NodeReach read_reach(const Tree& tree) {
  NodeReach out;
  out.node_name = read_optional_string(tree["nodeName"]);
  if (tree["nodeSelector"].is_map()) out.node_selector = read_node_selector(tree["nodeSelector"]);
  out.all_nodes = tree["allNodes"].as_bool().value_or(false);
  return out;
}

Device read_device(const Tree& item, const std::string& path, const Reading& reading) {
  // v1alpha3 and v1beta1 keep everything but the name under `basic`.
  const Tree& body = item["basic"].is_map() ? item["basic"] : item;
  Device device;
  device.name = item["name"].text();
  device.line = item.line;
  if (device.name.empty()) reading.remark(item, path, "dra-no-name", "a device has no name");
  for (const auto& [name, attribute] : body["attributes"].members())
    device.attributes.emplace(name, read_attribute(attribute, path + ".attributes." + name, reading));
  read_capacity(body["capacity"], path + ".capacity", reading, device);
  for (const Tree& use : body["consumesCounters"].items())
    device.consumes.push_back({use["counterSet"].text(),
                               read_counters(use["counters"], path + ".consumesCounters", reading),
                               read_strings(use["compatibilityGroups"])});
  device.reach = read_reach(body);
  for (const Tree& taint : body["taints"].items()) device.taints.push_back(read_taint(taint));
  device.binds_to_node = body["bindsToNode"].as_bool().value_or(false);
  device.binding_conditions = read_strings(body["bindingConditions"]);
  device.binding_failure_conditions = read_strings(body["bindingFailureConditions"]);
  device.allow_multiple_allocations = body["allowMultipleAllocations"].as_bool().value_or(false);
  return device;
}

}  // namespace

ResourceSlice read_slice(const Tree& object, ObjectMeta meta, const Reading& reading) {
  const Tree& spec = object["spec"];
  ResourceSlice slice;
  slice.meta = std::move(meta);
  slice.driver = spec["driver"].text();
  const Tree& pool = spec["pool"];
  slice.pool.name = pool["name"].text();
  slice.pool.generation = read_integer(pool["generation"], "spec.pool.generation", "dra-bad-pool", reading);
  slice.pool.slice_count =
      read_integer(pool["resourceSliceCount"], "spec.pool.resourceSliceCount", "dra-bad-pool", reading);
  if (slice.driver.empty()) reading.remark(spec, "spec.driver", "dra-no-driver", "names no driver");
  slice.reach = read_reach(spec);
  slice.per_device_node_selection = spec["perDeviceNodeSelection"].as_bool();
  for (std::size_t i = 0; i < spec["devices"].items().size(); ++i)
    slice.devices.push_back(
        read_device(spec["devices"].at(i), "spec.devices[" + std::to_string(i) + "]", reading));
  for (const Tree& set : spec["sharedCounters"].items())
    slice.shared_counters.push_back(
        {set["name"].text(), read_counters(set["counters"], "spec.sharedCounters", reading)});
  return slice;
}

}  // namespace etiage::formats::dra
