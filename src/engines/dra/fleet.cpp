#include "engines/dra/fleet.h"

#include <algorithm>

namespace etiage::dra {
namespace {

/// Kubernetes names hold no NUL.
std::string joined(std::string_view a, std::string_view b, std::string_view c = {}) {
  std::string out;
  out.reserve(a.size() + b.size() + c.size() + 2);
  out.append(a).push_back('\0');
  out.append(b).push_back('\0');
  return out.append(c);
}

bool uses_compatibility_groups(const Device& device) {
  return std::ranges::any_of(device.consumes,
                             [](const auto& use) { return !use.compatibility_groups.empty(); });
}

bool has_capacity_rules(const Device& device) {
  return std::ranges::any_of(device.capacity, [](const auto& entry) {
    return entry.second.policy || entry.second.value.amount.sign() < 0;
  });
}

}  // namespace

Fleet::Fleet(const std::vector<ResourceSlice>& slices) {
  std::size_t count = 0;
  for (const ResourceSlice& slice : slices) count += slice.devices.size();
  devices_.reserve(count);
  slices_.reserve(slices.size());
  for (const ResourceSlice& slice : slices) add(slice);
}

void Fleet::add(const ResourceSlice& slice) {
  const auto index = static_cast<std::uint32_t>(slices_.size());
  const auto [pool, fresh] = pool_ids_.try_emplace(joined(slice.driver, slice.pool.name), pools_.size());
  if (fresh) pools_.push_back({slice.driver, slice.pool.name, {}});
  pools_[pool->second].slices.push_back(index);

  FleetSlice entry{&slice,
                   pool->second,
                   static_cast<std::uint32_t>(devices_.size()),
                   static_cast<std::uint32_t>(slice.devices.size()),
                   false,
                   false};
  for (const Device& device : slice.devices) {
    entry.has_binding_conditions |= !device.binding_conditions.empty();
    entry.uses_compatibility_groups |= uses_compatibility_groups(device);
    const auto identity =
        identities_.try_emplace(joined(slice.driver, slice.pool.name, device.name), identities_.size());
    devices_.push_back({&device, index, identity.first->second, has_capacity_rules(device)});
  }
  slices_.push_back(entry);
  const std::string node = slice.reach.node_name.value_or("");
  (node.empty() ? slices_of_no_node_ : slices_of_node_[node]).push_back(index);
}

const std::vector<std::uint32_t>& Fleet::slices_of_node(std::string_view node) const {
  static const std::vector<std::uint32_t> none;
  const auto found = slices_of_node_.find(std::string(node));
  return found == slices_of_node_.end() ? none : found->second;
}

std::uint32_t Fleet::identity(std::string_view driver, std::string_view pool, std::string_view device) const {
  const auto found = identities_.find(joined(driver, pool, device));
  return found == identities_.end() ? kNone : found->second;
}

std::string Fleet::name_of(std::uint32_t device) const {
  const FleetPool& pool = pools_[slice_of(device).pool];
  return pool.driver + "/" + pool.name + "/" + devices_[device].object->name;
}

}  // namespace etiage::dra
