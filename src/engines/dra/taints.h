#pragma once
// Device taints, tolerations, and the rules that taint devices from outside (KEP-5055).

#include <vector>

#include "engines/dra/behaviour.h"
#include "model/dra.h"

namespace etiage::dra {

bool tolerates(const DeviceToleration& toleration, const DeviceTaint& taint);
/// The first taint that keeps a request with these tolerations off the device; null: none, or the gate is
/// off.
const DeviceTaint* blocking_taint(const Behaviour& behaviour, const Device& device,
                                  const std::vector<DeviceToleration>& tolerations);
/// The slices with the taints of the rules added, rules in the order of their names; unchanged with the gate
/// off.
std::vector<ResourceSlice> with_taint_rules(std::vector<ResourceSlice> slices,
                                            std::vector<DeviceTaintRule> rules, const Behaviour& behaviour);

}  // namespace etiage::dra
