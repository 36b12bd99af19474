#include "engines/dra/counters.h"

#include <algorithm>
#include <map>

#include "engines/dra/pool_counters.h"

namespace etiage::dra {
namespace {

void add_to(Quantity::Nano& left, int& short_counters, Quantity::Nano amount) {
  const bool was_short = left < 0;
  left += amount;
  short_counters += int(left < 0) - int(was_short);
}

}  // namespace

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

bool CounterTables::is_held(std::uint32_t identity) const {
  if (in_use_->is_dedicated(identity)) return true;
  return behaviour_->shared_consume_counters &&
         (in_use_->has_shares(identity) || in_use_->consumed(identity));
}

std::vector<CounterUse> CounterTables::uses_by_name(const Table& table, std::uint32_t device) const {
  std::vector<CounterUse> out;
  for (const CounterConsumption& use : fleet_->devices()[device].object->consumes)
    for (const auto& [name, amount] : use.counters)
      if (const std::uint32_t place = find_counter(*table.layout, use.counter_set, name); place != kNone)
        out.push_back({place, amount.nano()});
  return out;
}

void CounterTables::open(Table& table, const CounterLayout& layout, std::uint32_t owner) const {
  table.layout = &layout;
  table.owner = owner;
  table.left = layout.totals;
  table.short_counters =
      static_cast<int>(std::ranges::count_if(table.left, [](auto left) { return left < 0; }));
  for (const CounterHolder& holder : layout.holders) {
    if (!is_held(holder.identity)) continue;
    for (const CounterUse& use : holder.uses)
      add_to(table.left[use.counter], table.short_counters, -use.amount);
  }
}

CounterTables::Table& CounterTables::table_for(std::uint32_t pool, const PoolDevice& device) {
  const Pool& p = pools_->pools[pool];
  const std::uint32_t layout = layout_of(p, fleet_->devices()[device.device].slice);
  const bool by_slice = behaviour_->counter_key == Behaviour::CounterKey::kSlice;
  Table& table = tables_[first_table_[pool] + (by_slice ? layout : 0)];
  if (!table.layout) open(table, p.layouts[layout], pool);
  return table;
}

void CounterTables::change(Table& table, std::uint32_t pool, const PoolDevice& device, int sign) const {
  const auto apply = [&](const std::vector<CounterUse>& uses) {
    for (const CounterUse& use : uses)
      add_to(table.left[use.counter], table.short_counters, -sign * use.amount);
  };
  table.owner == pool ? apply(device.uses) : apply(uses_by_name(table, device.device));
}

bool CounterTables::take(std::uint32_t pool, const PoolDevice& device) {
  Table& table = table_for(pool, device);
  // Most devices are refused: seen before anything is written.
  if (table.short_counters > 0) return false;
  if (table.owner == pool)
    for (const CounterUse& use : device.uses)
      if (table.left[use.counter] < use.amount) return false;
  change(table, pool, device, 1);
  if (table.short_counters == 0) return true;
  change(table, pool, device, -1);
  return false;
}

void CounterTables::give_back(std::uint32_t pool, const PoolDevice& device) {
  change(table_for(pool, device), pool, device, -1);
}

}  // namespace etiage::dra
