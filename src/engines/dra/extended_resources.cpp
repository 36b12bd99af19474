#include "engines/dra/extended_resources.h"

namespace etiage::dra {
namespace {

constexpr std::string_view kImplicitPrefix = "deviceclass.resource.kubernetes.io/";

bool is_newer(const DeviceClass& a, const DeviceClass& b) {
  const Instant x = a.meta.created.value_or(Instant::min()), y = b.meta.created.value_or(Instant::min());
  return x != y ? x > y : a.meta.name < b.meta.name;
}

void add_requests(const Container& container, std::size_t index, const ClassMap& classes, ClaimSpec& spec) {
  std::size_t number = 0;
  ResourceList wanted = container.requests;
  wanted.insert(container.limits.begin(), container.limits.end());
  for (const auto& [resource, amount] : wanted) {
    const DeviceClass* backing = class_for_resource(resource, classes);
    if (!backing || amount.is_zero()) continue;
    DeviceRequest request;
    request.name = "container-" + std::to_string(index) + "-request-" + std::to_string(number++);
    request.exactly.emplace();
    request.exactly->device_class = backing->meta.name;
    request.exactly->count = amount.value();
    spec.requests.push_back(std::move(request));
  }
}

}  // namespace

const DeviceClass* class_for_resource(std::string_view resource, const ClassMap& classes) {
  if (resource.starts_with(kImplicitPrefix)) {
    const auto found = classes.find(resource.substr(kImplicitPrefix.size()));
    return found == classes.end() ? nullptr : found->second;
  }
  const DeviceClass* best = nullptr;
  for (const auto& [name, candidate] : classes)
    if (!candidate->extended_resource_name.empty() && candidate->extended_resource_name == resource &&
        (!best || is_newer(*candidate, *best)))
      best = candidate;
  return best;
}

std::optional<ResourceClaim> claim_for_extended_resources(const Pod& pod, const Allocator& allocator) {
  if (!allocator.behaviour().gates.extended_resource) return std::nullopt;
  ResourceClaim claim;
  claim.meta.ns = pod.meta.ns;
  claim.meta.name = pod.meta.name + std::string(kExtendedResourceClaimSuffix);
  claim.meta.place = pod.meta.place;
  std::size_t index = 0;
  for (const auto* list : {&pod.spec.init_containers, &pod.spec.containers})
    for (const Container& container : *list)
      add_requests(container, index++, allocator.classes(), claim.spec);
  if (claim.spec.requests.empty()) return std::nullopt;
  return claim;
}

}  // namespace etiage::dra
