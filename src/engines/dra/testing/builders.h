#pragma once
// Small clusters for tests.

#include <string>
#include <vector>

#include "engines/dra/allocator.h"

namespace etiage::dra::testing {

inline WrittenQuantity quantity(const std::string& text) {
  return {text, *Quantity::parse(text)};
}

inline Device gpu(const std::string& name) {
  Device d;
  d.name = name;
  return d;
}

inline ResourceSlice slice_on(const std::string& node, std::vector<Device> devices,
                              const std::string& driver = "gpu.example.com") {
  ResourceSlice s;
  s.meta.name = "slice-" + node + "-" + driver;
  s.driver = driver;
  s.pool = {node, 1, 1};
  s.reach.node_name = node;
  s.devices = std::move(devices);
  return s;
}

inline DeviceClass class_of(const std::string& name, std::vector<std::string> selectors = {}) {
  DeviceClass c;
  c.meta.name = name;
  for (std::string& s : selectors) c.selectors.push_back({std::move(s), 0});
  return c;
}

inline DeviceRequest request(const std::string& name, std::int64_t count = 1,
                             const std::string& device_class = "gpu") {
  DeviceRequest r;
  r.name = name;
  r.exactly.emplace();
  r.exactly->device_class = device_class;
  r.exactly->count = count;
  return r;
}

inline ResourceClaim claim(const std::string& name, std::vector<DeviceRequest> requests) {
  ResourceClaim c;
  c.meta.ns = "default";
  c.meta.name = name;
  c.spec.requests = std::move(requests);
  return c;
}

inline Behaviour release(int minor, const std::string& gates = "") {
  Diagnostics ignored;
  return behaviour_of({minor}, with_gates(default_gates({minor}), gates, ignored));
}

inline NodeIdentity node(std::string_view name) {
  static const LabelMap labels;
  return {name, labels};
}

/// One attempt on node `n` with nothing in use.
inline Attempt allocate(const Behaviour& behaviour, std::vector<ResourceSlice> slices,
                        const std::vector<ResourceClaim>& claims,
                        std::vector<DeviceClass> classes = {class_of("gpu")}) {
  Allocator allocator(behaviour, std::move(slices), {}, std::move(classes));
  std::vector<const ResourceClaim*> list;
  for (const ResourceClaim& c : claims) list.push_back(&c);
  return allocator.allocate(node("n"), list, allocator.nothing_in_use());
}

/// The names of the devices given, claim by claim.
inline std::vector<std::string> names(const Attempt& attempt) {
  std::vector<std::string> out;
  for (const Allocation& a : attempt.allocations)
    for (const AllocatedDevice& d : a.devices) out.push_back(d.device);
  return out;
}

}  // namespace etiage::dra::testing
