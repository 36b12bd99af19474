// ResourceClaims and what their templates hold, with the API server's defaults.

#include "formats/kube/dra_fields.h"
#include "formats/kube/meta.h"

namespace etiage::formats::dra {
namespace {

DeviceAsk read_ask(const Tree& tree, const std::string& path, const Reading& reading) {
  DeviceAsk ask;
  ask.device_class = tree["deviceClassName"].text();
  ask.selectors = read_selectors(tree["selectors"]);
  if (tree.has("allocationMode") && !tree["allocationMode"].text().empty())
    ask.allocation_mode = tree["allocationMode"].text();
  ask.count = read_integer(tree["count"], path + ".count", "dra-bad-count", reading);
  if (ask.allocation_mode == "ExactCount" && ask.count == 0) ask.count = 1;
  if (ask.count < 0) {
    reading.remark(tree["count"], path + ".count", "dra-bad-count", "asks for a negative number of devices");
    ask.count = 1;
  }
  ask.admin_access = tree["adminAccess"].as_bool();
  for (const Tree& item : tree["tolerations"].items()) ask.tolerations.push_back(read_toleration(item));
  ask.derived_attributes = !tree["derivedAttributes"].items().empty();
  if (!tree["capacity"].is_map()) return ask;
  ask.capacity.emplace();
  for (const auto& [name, value] : tree["capacity"]["requests"].members())
    if (auto quantity = read_quantity(value, path + ".capacity.requests." + name, reading))
      ask.capacity->emplace(name, std::move(*quantity));
  return ask;
}

DeviceRequest read_request(const Tree& tree, const std::string& path, const Reading& reading) {
  DeviceRequest request;
  request.name = tree["name"].text();
  request.line = tree.line;
  if (tree["exactly"].is_map()) {
    request.exactly = read_ask(tree["exactly"], path + ".exactly", reading);
  } else if (tree.has("deviceClassName")) {
    request.exactly = read_ask(tree, path, reading);  // v1alpha3, v1beta1
  }
  for (std::size_t i = 0; i < tree["firstAvailable"].items().size(); ++i) {
    const Tree& item = tree["firstAvailable"].at(i);
    const std::string here = path + ".firstAvailable[" + std::to_string(i) + "]";
    request.first_available.push_back({item["name"].text(), read_ask(item, here, reading)});
  }
  return request;
}

DeviceConstraint read_constraint(const Tree& tree) {
  using enum DeviceConstraint::Kind;
  if (tree.has("matchAttribute"))
    return {kMatchAttribute, read_strings(tree["requests"]), tree["matchAttribute"].text()};
  if (tree.has("distinctAttribute"))
    return {kDistinctAttribute, read_strings(tree["requests"]), tree["distinctAttribute"].text()};
  return {kUnknown, read_strings(tree["requests"]), {}};
}

AllocatedDevice read_allocated(const Tree& tree, const Reading& reading) {
  AllocatedDevice out;
  out.request = tree["request"].text();
  out.driver = tree["driver"].text();
  out.pool = tree["pool"].text();
  out.device = tree["device"].text();
  out.admin_access = tree["adminAccess"].as_bool().value_or(false);
  out.share_id = read_optional_string(tree["shareID"]);
  out.has_consumed = tree["consumedCapacity"].is_map();
  for (const auto& [name, value] : tree["consumedCapacity"].members())
    if (auto quantity = read_quantity(value, "status.allocation.devices.results." + name, reading))
      out.consumed.emplace(name, quantity->amount);
  out.binding_conditions = read_strings(tree["bindingConditions"]);
  out.binding_failure_conditions = read_strings(tree["bindingFailureConditions"]);
  for (const Tree& item : tree["tolerations"].items()) out.tolerations.push_back(read_toleration(item));
  return out;
}

std::optional<Allocation> read_allocation(const Tree& tree, const Reading& reading) {
  if (!tree.is_map()) return std::nullopt;
  Allocation out;
  for (const Tree& item : tree["devices"]["results"].items())
    out.devices.push_back(read_allocated(item, reading));
  if (tree["nodeSelector"].is_map()) out.node_selector = read_node_selector(tree["nodeSelector"]);
  out.time = parse_instant(tree["allocationTimestamp"].text());
  return out;
}

}  // namespace

ClaimSpec read_claim_spec(const Tree& spec, const std::string& path, const Reading& reading) {
  const Tree& devices = spec["devices"];
  ClaimSpec out;
  for (std::size_t i = 0; i < devices["requests"].items().size(); ++i) {
    const std::string here = path + ".devices.requests[" + std::to_string(i) + "]";
    out.requests.push_back(read_request(devices["requests"].at(i), here, reading));
  }
  for (const Tree& item : devices["constraints"].items()) out.constraints.push_back(read_constraint(item));
  out.config = read_configs(devices["config"]);
  return out;
}

ResourceClaim read_claim(const Tree& object, ObjectMeta meta, const Reading& reading) {
  ResourceClaim claim;
  claim.meta = std::move(meta);
  claim.spec = read_claim_spec(object["spec"], "spec", reading);
  claim.allocation = read_allocation(object["status"]["allocation"], reading);
  for (const Tree& item : object["status"]["reservedFor"].items())
    claim.reserved_for.push_back(
        {item["apiGroup"].text(), item["resource"].text(), item["name"].text(), item["uid"].text()});
  return claim;
}

}  // namespace etiage::formats::dra
