#include "formats/kube/dra.h"

#include "formats/kube/dra_fields.h"
#include "formats/kube/meta.h"

namespace etiage::formats {
namespace {

DeviceClass read_class(const Tree& object, ObjectMeta meta) {
  const Tree& spec = object["spec"];
  return {std::move(meta), dra::read_selectors(spec["selectors"]), dra::read_configs(spec["config"]),
          spec["extendedResourceName"].text()};
}

DeviceTaintRule read_rule(const Tree& object, ObjectMeta meta) {
  DeviceTaintRule rule;
  rule.meta = std::move(meta);
  const Tree& selector = object["spec"]["deviceSelector"];
  if (selector.is_map())
    rule.selector = DeviceTaintRule::Selector{dra::read_optional_string(selector["driver"]),
                                              dra::read_optional_string(selector["pool"]),
                                              dra::read_optional_string(selector["device"])};
  rule.taint = dra::read_taint(object["spec"]["taint"]);
  return rule;
}

bool is_namespaced(std::string_view kind) {
  return kind == "ResourceClaim" || kind == "ResourceClaimTemplate";
}

}  // namespace

bool read_dra_object(const Tree& object, const std::string& file, DraObjects& into,
                     Diagnostics& diagnostics) {
  if (!object["apiVersion"].text().starts_with("resource.k8s.io/")) return false;
  const std::string& kind = object["kind"].text();
  const auto here = [&] { return read_meta(object, file, is_namespaced(kind)); };
  const dra::Reading reading{file, kind + " " + object["metadata"]["name"].text(), diagnostics};
  if (kind == "ResourceSlice") {
    into.slices.push_back(dra::read_slice(object, here(), reading));
  } else if (kind == "DeviceClass") {
    into.classes.push_back(read_class(object, here()));
  } else if (kind == "ResourceClaim") {
    into.claims.push_back(dra::read_claim(object, here(), reading));
  } else if (kind == "ResourceClaimTemplate") {
    into.templates.push_back({here(), dra::read_claim_spec(object["spec"]["spec"], "spec.spec", reading)});
  } else if (kind == "DeviceTaintRule") {
    into.taint_rules.push_back(read_rule(object, here()));
  } else {
    return false;
  }
  return true;
}

}  // namespace etiage::formats
