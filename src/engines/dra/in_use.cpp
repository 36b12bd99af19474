#include "engines/dra/in_use.h"

#include <algorithm>

namespace etiage::dra {

InUse::InUse(const Fleet& fleet, const Behaviour& behaviour)
    : fleet_(&fleet),
      shares_exist_(behaviour.gates.consumable_capacity),
      shares_consume_counters_(behaviour.shared_consume_counters),
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

bool InUse::consumes_counters(std::uint32_t identity) const {
  return is_dedicated(identity) ||
         (shares_consume_counters_ && (has_shares(identity) || consumed(identity) != nullptr));
}

void InUse::recount(Count& count, const CounterLayout& layout, std::size_t holder) const {
  const CounterHolder& h = layout.holders[holder];
  const bool holds = consumes_counters(h.identity);
  if (holds == count.held[holder]) return;
  count.held[holder] = holds;
  for (const CounterUse& use : h.uses) count.counters.add(use.counter, holds ? -use.amount : use.amount);
}

const CountersLeft& InUse::left_of(const CounterLayout& layout) const {
  const auto [entry, fresh] = counts_.try_emplace(&layout);
  Count& count = entry->second;
  const auto& holders = layout.holders;
  if (fresh) {
    count.counters = CountersLeft(layout.totals);
    count.held.resize(holders.size());
  }
  if (fresh || journal_.size() - count.read > holders.size()) {
    for (std::size_t i = 0; i < holders.size(); ++i) recount(count, layout, i);
    count.read = journal_.size();
  }
  for (; count.read < journal_.size(); ++count.read) {
    const auto changed =
        std::ranges::equal_range(holders, journal_[count.read], {}, &CounterHolder::identity);
    for (auto h = changed.begin(); h != changed.end(); ++h)
      recount(count, layout, static_cast<std::size_t>(h - holders.begin()));
  }
  return count.counters;
}

void InUse::change(const Allocation& allocation, const std::string& claim, bool add) {
  for (const AllocatedDevice& device : allocation.devices) {
    const std::uint32_t identity = fleet_->identity(device.driver, device.pool, device.device);
    if (identity == kNone || device.admin_access) continue;
    const bool shared = shares_exist_ && device.share_id;
    std::uint16_t& count = shared ? shares_[identity] : dedicated_[identity];
    if (!add && count == 0) continue;
    add ? ++count : --count;
    journal_.push_back(identity);
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
