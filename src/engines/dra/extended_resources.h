#pragma once
// Extended resources (`nvidia.com/gpu: 2`) that a DeviceClass backs: the scheduler makes a claim for them
// (KEP-5004).

#include <optional>
#include <string>

#include "engines/dra/allocator.h"
#include "model/pod.h"

namespace etiage::dra {

inline constexpr std::string_view kExtendedResourceClaimSuffix = "-extended-resources";

/// The class that backs the resource: by `extendedResourceName` (the newest, then the first by name), or by
/// the implicit name `deviceclass.resource.kubernetes.io/CLASS`. Null: none.
const DeviceClass* class_for_resource(std::string_view resource, const ClassMap& classes);

/// A claim with one request for each container and resource that a class backs. Nothing where the pod asks
/// for none or the gate is off.
std::optional<ResourceClaim> claim_for_extended_resources(const Pod& pod, const Allocator& allocator);

}  // namespace etiage::dra
