#include "engines/dra/taints.h"

#include <algorithm>

namespace etiage::dra {
namespace {

bool wants(const std::optional<std::string>& part, const std::string& have) {
  return !part || *part == have;
}

bool blocks(const Behaviour& behaviour, const DeviceTaint& taint) {
  return behaviour.every_taint_blocks || taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

}  // namespace

bool tolerates(const DeviceToleration& toleration, const DeviceTaint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

const DeviceTaint* blocking_taint(const Behaviour& behaviour, const Device& device,
                                  const std::vector<DeviceToleration>& tolerations) {
  if (!behaviour.gates.device_taints) return nullptr;
  for (const DeviceTaint& taint : device.taints) {
    const auto tolerated = [&](const DeviceToleration& t) { return tolerates(t, taint); };
    if (blocks(behaviour, taint) && std::ranges::none_of(tolerations, tolerated)) return &taint;
  }
  return nullptr;
}

std::vector<ResourceSlice> with_taint_rules(std::vector<ResourceSlice> slices,
                                            std::vector<DeviceTaintRule> rules, const Behaviour& behaviour) {
  if (!behaviour.gates.device_taint_rules) return slices;
  std::ranges::stable_sort(rules, {},
                           [](const DeviceTaintRule& rule) -> const std::string& { return rule.meta.name; });
  for (const DeviceTaintRule& rule : rules) {
    if (!rule.selector) continue;
    for (ResourceSlice& slice : slices) {
      if (!wants(rule.selector->driver, slice.driver) || !wants(rule.selector->pool, slice.pool.name))
        continue;
      for (Device& device : slice.devices) {
        if (!wants(rule.selector->device, device.name)) continue;
        device.taints.push_back(rule.taint);
        device.taints.back().rule = rule.meta.name;
      }
    }
  }
  return slices;
}

}  // namespace etiage::dra
