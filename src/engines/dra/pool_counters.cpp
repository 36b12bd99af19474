#include "engines/dra/pool_counters.h"

#include <algorithm>
#include <unordered_map>

namespace etiage::dra {
namespace {

using Places = std::unordered_map<std::string, std::uint32_t>;

std::string counter_name(std::string_view set, std::string_view counter) {
  return std::string(set).append("/").append(counter);
}

void append_set(CounterLayout& layout, const CounterSet& set) {
  for (const auto& [name, total] : set.counters) {
    layout.names.push_back(counter_name(set.name, name));
    layout.totals.push_back(total.nano());
  }
}

Places places_of(const CounterLayout& layout) {
  Places out;
  for (std::uint32_t i = 0; i < layout.names.size(); ++i) out.emplace(layout.names[i], i);
  return out;
}

std::vector<CounterUse> uses_of(const Device& device, const Places& places) {
  std::vector<CounterUse> out;
  for (const CounterConsumption& use : device.consumes)
    for (const auto& [name, amount] : use.counters)
      if (const auto place = places.find(counter_name(use.counter_set, name)); place != places.end())
        out.push_back({place->second, amount.nano()});
  return out;
}

void append_holders(CounterLayout& layout, const Fleet& fleet, std::uint32_t slice) {
  const Places places = places_of(layout);
  const FleetSlice& s = fleet.slices()[slice];
  for (std::uint32_t d = s.first; d < s.first + s.count; ++d)
    if (const Device& device = *fleet.devices()[d].object; !device.consumes.empty())
      layout.holders.push_back({d, fleet.devices()[d].identity, uses_of(device, places)});
}

bool has_set(const Pool& pool, std::string_view name) {
  return std::ranges::any_of(pool.counter_sets, [&](const CounterSet* set) { return set->name == name; });
}

/// Empty where all that the slice's devices take exists.
std::string missing_counter(const Pool& pool, const Places& places, const ResourceSlice& slice) {
  for (const Device& device : slice.devices)
    for (const CounterConsumption& use : device.consumes) {
      if (!has_set(pool, use.counter_set)) return "counter set " + use.counter_set + " not found";
      for (const auto& [name, amount] : use.counters)
        if (!places.contains(counter_name(use.counter_set, name)))
          return "counter " + name + " not found in counter set " + use.counter_set;
    }
  return {};
}

std::string duplicate_set(const Pool& pool) {
  for (std::size_t i = 0; i < pool.counter_sets.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (pool.counter_sets[i]->name == pool.counter_sets[j]->name)
        return "duplicate counter set name " + pool.counter_sets[i]->name;
  return {};
}

}  // namespace

void lay_out_counters(Pool& pool, const Fleet& fleet, const std::vector<std::uint32_t>& checked) {
  pool.reason = duplicate_set(pool);
  CounterLayout layout;
  for (const CounterSet* set : pool.counter_sets) append_set(layout, *set);
  const Places places = places_of(layout);
  for (const std::vector<std::uint32_t>* slices : {&checked, &std::as_const(pool.elsewhere)})
    for (const std::uint32_t i : *slices)
      if (pool.reason.empty()) pool.reason = missing_counter(pool, places, *fleet.slices()[i].object);
  pool.invalid = !pool.reason.empty();
  if (pool.invalid) return;
  for (const auto* slices : {&pool.slices, &pool.elsewhere})
    for (const std::uint32_t i : *slices) append_holders(layout, fleet, i);
  std::ranges::stable_sort(layout.holders, {}, &CounterHolder::identity);
  pool.layouts.push_back(std::move(layout));
}

void lay_out_counters_by_slice(Pool& pool, const Fleet& fleet) {
  for (const std::uint32_t i : pool.slices) {
    CounterLayout& layout = pool.layouts.emplace_back();
    for (const CounterSet& set : fleet.slices()[i].object->shared_counters) append_set(layout, set);
    append_holders(layout, fleet, i);
    std::ranges::stable_sort(layout.holders, {}, &CounterHolder::identity);
  }
}

std::uint32_t layout_of(const Pool& pool, std::uint32_t slice) {
  if (pool.layouts.size() <= 1) return pool.layouts.empty() ? kNone : 0;
  return static_cast<std::uint32_t>(std::ranges::find(pool.slices, slice) - pool.slices.begin());
}

void resolve_uses(Pool& pool) {
  std::unordered_map<std::uint32_t, const std::vector<CounterUse>*> uses;
  for (const CounterLayout& layout : pool.layouts)
    for (const CounterHolder& holder : layout.holders) uses.emplace(holder.device, &holder.uses);
  for (PoolDevice& entry : pool.devices)
    if (const auto found = uses.find(entry.device); found != uses.end()) entry.uses = *found->second;
}

std::uint32_t find_counter(const CounterLayout& layout, std::string_view set, std::string_view counter) {
  const auto found = std::ranges::find(layout.names, counter_name(set, counter));
  return found == layout.names.end() ? kNone : static_cast<std::uint32_t>(found - layout.names.begin());
}

}  // namespace etiage::dra
