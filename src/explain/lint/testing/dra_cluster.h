#pragma once
// The least cluster with devices and a claim, for the tests of lint's rules.

#include <algorithm>
#include <string>
#include <string_view>

#include "engines/dra/testing/builders.h"
#include "explain/lint/dra_rules.h"

namespace etiage::explain::testing {

using namespace dra::testing;

inline Device h100(const std::string& name) {
  Device d = gpu(name);
  d.attributes = {{"productName", "NVIDIA H100 80GB HBM3"}, {"driverVersion", SemanticVersion{"580.126.20"}}};
  d.capacity.emplace("memory", DeviceCapacity{quantity("81559Mi"), std::nullopt});
  return d;
}

inline LintInput cluster(ResourceClaim c, int minor = 37) {
  LintInput input;
  input.behaviour = release(minor);
  input.cluster.dra.slices = {slice_on("n", {h100("gpu-0"), h100("gpu-1")}, "gpu.nvidia.com")};
  input.cluster.dra.classes = {class_of("gpu")};
  input.cluster.dra.claims = {std::move(c)};
  return input;
}

inline const Diagnostic* find(const Diagnostics& all, std::string_view code) {
  const auto found = std::ranges::find(all, code, &Diagnostic::code);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace etiage::explain::testing
