#pragma once
// Extended resources (`nvidia.com/gpu: 2`) that a DeviceClass backs: the scheduler makes a claim for them
// (KEP-5004), on each node for what no device plugin serves there.

#include <expected>
#include <optional>
#include <string>

#include "engines/dra/allocator.h"
#include "model/node.h"
#include "model/pod.h"

namespace etiage::dra {

inline constexpr std::string_view kExtendedResourceClaimSuffix = "-extended-resources";

/// The class that backs the resource: by `extendedResourceName` (the newest, then the first by name), or by
/// the implicit name `deviceclass.resource.kubernetes.io/CLASS`. Null: none.
const DeviceClass* class_for_resource(std::string_view resource, const Allocator& allocator);

/// Whether a class backs any resource that the pod asks for; never where the gate is off.
bool asks_for_backed_resources(const Pod& pod, const Allocator& allocator);

/// The claim for what the pod asks of that node and its device plugins do not serve; nothing where that is
/// nothing. The error: a resource that neither a class nor the node has.
std::expected<std::optional<ResourceClaim>, std::string> claim_for_extended_resources(
    const Pod& pod, const Node& node, const Allocator& allocator);

}  // namespace etiage::dra
