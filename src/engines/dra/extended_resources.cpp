#include "engines/dra/extended_resources.h"

#include <algorithm>
#include <set>

namespace etiage::dra {
namespace {

constexpr std::string_view kImplicitPrefix = "deviceclass.resource.kubernetes.io/";
constexpr Quantity::Nano kUnit = 1'000'000'000;

bool is_newer(const DeviceClass& a, const DeviceClass& b) {
  const Instant x = a.meta.created.value_or(Instant::min()), y = b.meta.created.value_or(Instant::min());
  return x != y ? x > y : a.meta.name < b.meta.name;
}

/// Names that are Kubernetes's own are not looked for on nodes here.
bool is_extended(std::string_view resource) {
  return resource.contains('/') && !resource.contains("kubernetes.io/") && !resource.starts_with("requests.");
}

/// Whole devices; a fraction is none, as the API server refuses it.
std::int64_t devices_of(const Quantity& amount) {
  return amount.nano() % kUnit == 0 ? amount.value() : 0;
}

/// A container and all that it asks for: limits stand in for requests that are not given.
struct Asker {
  std::size_t index;
  bool keeps;  ///< beyond the start of the pod; else its devices serve later containers as well
  ResourceList wanted;

  std::int64_t devices(const std::string& resource) const {
    const auto found = wanted.find(resource);
    return found == wanted.end() ? 0 : devices_of(found->second);
  }
  DeviceRequest request(const std::string& resource, const DeviceClass& backing, std::int64_t count) const {
    DeviceRequest out;
    out.name = "container-" + std::to_string(index) + "-request-" +
               std::to_string(std::distance(wanted.begin(), wanted.find(resource)));
    out.exactly.emplace();
    out.exactly->device_class = backing.meta.name;
    out.exactly->count = count;
    return out;
  }
};

std::vector<Asker> askers_of(const PodSpec& spec, bool init_containers_keep) {
  std::vector<Asker> out;
  for (const auto* list : {&spec.init_containers, &spec.containers})
    for (const Container& c : *list) {
      const bool keeps = list == &spec.containers || c.restart_always || init_containers_keep;
      out.push_back({out.size(), keeps, c.requests});
      out.back().wanted.insert(c.limits.begin(), c.limits.end());
    }
  return out;
}

/// One request for each container that keeps its devices, and one for what the hungriest of the others needs
/// beyond those of the containers after it.
void add_requests(const std::vector<Asker>& askers, const std::string& resource, const DeviceClass& backing,
                  std::vector<DeviceRequest>& out) {
  std::int64_t kept_later = 0, most = 0;
  const Asker* hungriest = nullptr;
  for (auto asker = askers.rbegin(); asker != askers.rend(); ++asker) {
    const std::int64_t count = asker->devices(resource);
    if (count <= 0) continue;
    if (asker->keeps) {
      kept_later += count;
      out.push_back(asker->request(resource, backing, count));
    } else if (count > kept_later && count - kept_later >= most) {
      most = count - kept_later;
      hungriest = &*asker;
    }
  }
  if (hungriest) out.push_back(hungriest->request(resource, backing, most));
}

std::set<std::string> resources_of(const std::vector<Asker>& askers) {
  std::set<std::string> out;
  for (const Asker& asker : askers)
    for (const auto& [resource, amount] : asker.wanted)
      if (devices_of(amount) > 0) out.insert(resource);
  return out;
}

/// Whether a device plugin of the node serves it.
bool is_served(const Node& node, const std::string& resource, bool even_at_zero) {
  const auto found = node.allocatable.find(resource);
  return found != node.allocatable.end() && (even_at_zero || !found->second.is_zero());
}

}  // namespace

const DeviceClass* class_for_resource(std::string_view resource, const Allocator& allocator) {
  const ClassMap& classes = allocator.classes();
  if (resource.starts_with(kImplicitPrefix)) {
    const auto found = classes.find(resource.substr(kImplicitPrefix.size()));
    return found == classes.end() || allocator.behaviour().early_extended_resources ? nullptr : found->second;
  }
  const DeviceClass* best = nullptr;
  for (const auto& [name, candidate] : classes)
    if (!candidate->extended_resource_name.empty() && candidate->extended_resource_name == resource &&
        (!best || is_newer(*candidate, *best)))
      best = candidate;
  return best;
}

bool asks_for_backed_resources(const Pod& pod, const Allocator& allocator) {
  if (!allocator.behaviour().gates.extended_resource) return false;
  return std::ranges::any_of(resources_of(askers_of(pod.spec, true)), [&](const std::string& resource) {
    return class_for_resource(resource, allocator) != nullptr;
  });
}

std::expected<std::optional<ResourceClaim>, std::string> claim_for_extended_resources(
    const Pod& pod, const Node& node, const Allocator& allocator) {
  if (!asks_for_backed_resources(pod, allocator)) return std::nullopt;
  const bool early = allocator.behaviour().early_extended_resources;
  const std::vector<Asker> askers = askers_of(pod.spec, early);
  ResourceClaim claim;
  claim.meta.ns = pod.meta.ns;
  claim.meta.name = pod.meta.name + std::string(kExtendedResourceClaimSuffix);
  claim.meta.place = pod.meta.place;
  bool any_open = early && !pod.spec.claims.empty();
  for (const std::string& resource : resources_of(askers)) {
    const DeviceClass* backing = class_for_resource(resource, allocator);
    const bool served = is_served(node, resource, early || !backing);
    if (!backing && !served && is_extended(resource)) return std::unexpected("cannot fit resource");
    any_open |= backing && !served;
    // 1.34 asks for what a device plugin serves as well, once it makes a claim at all.
    if (backing && (early || !served)) add_requests(askers, resource, *backing, claim.spec.requests);
  }
  if (!any_open || claim.spec.requests.empty()) return std::nullopt;
  std::ranges::sort(claim.spec.requests, {}, &DeviceRequest::name);
  return claim;
}

}  // namespace etiage::dra
