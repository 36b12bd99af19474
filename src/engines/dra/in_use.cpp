#include "engines/dra/in_use.h"

#include <algorithm>

namespace etiage::dra {

InUse::InUse(const Fleet& fleet, const Behaviour& behaviour)
    : fleet_(&fleet),
      shares_exist_(behaviour.gates.consumable_capacity),
      dedicated_(fleet.identities()),
      shares_(fleet.identities()) {}

void InUse::add(const Allocation& allocation, const std::string& claim) {
  change(allocation, claim, true);
  allocations_.emplace(claim, allocation);
}

void InUse::remove(const Allocation& allocation, const std::string& claim) {
  change(allocation, claim, false);
  const auto [first, last] = allocations_.equal_range(claim);
  for (auto it = first; it != last; ++it)
    if (it->second == allocation) {
      allocations_.erase(it);
      return;
    }
}

InUse InUse::without(const std::string& claim) const {
  InUse out = *this;
  const auto [first, last] = allocations_.equal_range(claim);
  for (auto it = first; it != last; ++it) out.change(it->second, claim, false);
  out.allocations_.erase(claim);
  return out;
}

const CapacityMap* InUse::consumed(std::uint32_t identity) const {
  if (consumed_.empty()) return nullptr;
  const auto found = consumed_.find(identity);
  return found == consumed_.end() ? nullptr : &found->second.amounts;
}

const std::vector<std::string>& InUse::holders(std::uint32_t identity) const {
  static const std::vector<std::string> nobody;
  const auto found = holders_.find(identity);
  return found == holders_.end() ? nobody : found->second;
}

void InUse::change(const Allocation& allocation, const std::string& claim, bool add) {
  for (const AllocatedDevice& device : allocation.devices) {
    const std::uint32_t identity = fleet_->identity(device.driver, device.pool, device.device);
    if (identity == kNone || device.admin_access) continue;
    const bool shared = shares_exist_ && device.share_id;
    std::uint16_t& count = shared ? shares_[identity] : dedicated_[identity];
    if (!add && count == 0) continue;
    add ? ++count : --count;
    if (shared && device.has_consumed) change_capacity(identity, device, add);
    auto& holders = holders_[identity];
    if (add) {
      holders.push_back(claim);
    } else if (const auto it = std::ranges::find(holders, claim); it != holders.end()) {
      holders.erase(it);
    }
  }
}

void InUse::change_capacity(std::uint32_t identity, const AllocatedDevice& device, bool add) {
  Consumption& c = consumed_[identity];
  for (const auto& [name, amount] : device.consumed) {
    Quantity& total = c.amounts[name];
    add ? total += amount : total -= amount;
  }
  c.shares += add ? 1 : -1;
  if (c.shares <= 0) consumed_.erase(identity);
}

}  // namespace etiage::dra
