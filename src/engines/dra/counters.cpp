#include "engines/dra/counters.h"

#include <algorithm>
#include <map>

#include "engines/dra/pool_counters.h"

namespace etiage::dra {

CounterTables::CounterTables(const Fleet& fleet, const NodePools& pools, const Behaviour& behaviour,
                             const InUse& in_use)
    : fleet_(&fleet), pools_(&pools), behaviour_(&behaviour), in_use_(&in_use) {
  std::map<std::string_view, std::uint32_t> by_name;
  std::uint32_t next = 0;
  for (const Pool& pool : pools.pools) {
    std::uint32_t first = next;
    if (behaviour.counter_key == Behaviour::CounterKey::kPoolName)
      first = by_name.try_emplace(fleet.pools()[pool.id].name, next).first->second;
    first_table_.push_back(first);
    if (first == next) next += std::max<std::size_t>(pool.layouts.size(), 1);
  }
  tables_.resize(next);
}

std::vector<CounterUse> CounterTables::uses_by_name(const Table& table, std::uint32_t device) const {
  std::vector<CounterUse> out;
  for (const CounterConsumption& use : fleet_->devices()[device].object->consumes)
    for (const auto& [name, amount] : use.counters)
      if (const std::uint32_t place = find_counter(*table.layout, use.counter_set, name); place != kNone)
        out.push_back({place, amount.nano()});
  return out;
}

CounterTables::Table& CounterTables::table_for(std::uint32_t pool, const PoolDevice& device) {
  const Pool& p = pools_->pools[pool];
  const std::uint32_t layout = layout_of(p, fleet_->devices()[device.device].slice);
  const bool by_slice = behaviour_->counter_key == Behaviour::CounterKey::kSlice;
  Table& table = tables_[first_table_[pool] + (by_slice ? layout : 0)];
  if (!table.layout) table = {&p.layouts[layout], pool, in_use_->left_of(p.layouts[layout])};
  return table;
}

void CounterTables::change(Table& table, std::uint32_t pool, const PoolDevice& device, int sign) const {
  const auto apply = [&](const std::vector<CounterUse>& uses) {
    for (const CounterUse& use : uses) table.counters.add(use.counter, -sign * use.amount);
  };
  table.owner == pool ? apply(device.uses) : apply(uses_by_name(table, device.device));
}

bool CounterTables::take(std::uint32_t pool, const PoolDevice& device) {
  Table& table = table_for(pool, device);
  // Most devices are refused: seen before anything is written.
  if (table.counters.short_counters > 0) return false;
  if (table.owner == pool)
    for (const CounterUse& use : device.uses)
      if (table.counters.left[use.counter] < use.amount) return false;
  change(table, pool, device, 1);
  if (table.counters.short_counters == 0) return true;
  change(table, pool, device, -1);
  return false;
}

void CounterTables::give_back(std::uint32_t pool, const PoolDevice& device) {
  change(table_for(pool, device), pool, device, -1);
}

}  // namespace etiage::dra
