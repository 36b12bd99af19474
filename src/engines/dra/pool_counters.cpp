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

void append_devices(CounterLayout& layout, const Fleet& fleet, std::uint32_t slice) {
  const FleetSlice& s = fleet.slices()[slice];
  for (std::uint32_t d = s.first; d < s.first + s.count; ++d)
    if (!fleet.devices()[d].object->consumes.empty()) layout.devices.push_back(d);
}

Places places_of(const CounterLayout& layout) {
  Places out;
  for (std::uint32_t i = 0; i < layout.names.size(); ++i) out.emplace(layout.names[i], i);
  return out;
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
    for (const std::uint32_t i : *slices) append_devices(layout, fleet, i);
  pool.layouts.push_back(std::move(layout));
}

void lay_out_counters_by_slice(Pool& pool, const Fleet& fleet) {
  for (const std::uint32_t i : pool.slices) {
    CounterLayout& layout = pool.layouts.emplace_back();
    for (const CounterSet& set : fleet.slices()[i].object->shared_counters) append_set(layout, set);
    append_devices(layout, fleet, i);
  }
}

std::uint32_t layout_of(const Pool& pool, std::uint32_t slice) {
  if (pool.layouts.size() <= 1) return pool.layouts.empty() ? kNone : 0;
  return static_cast<std::uint32_t>(std::ranges::find(pool.slices, slice) - pool.slices.begin());
}

void resolve_uses(Pool& pool, const Fleet& fleet) {
  std::vector<Places> places;
  for (const CounterLayout& layout : pool.layouts) places.push_back(places_of(layout));
  for (PoolDevice& entry : pool.devices) {
    const FleetDevice& device = fleet.devices()[entry.device];
    if (device.object->consumes.empty()) continue;
    const std::uint32_t layout = layout_of(pool, device.slice);
    if (layout == kNone) continue;
    for (const CounterConsumption& use : device.object->consumes)
      for (const auto& [name, amount] : use.counters)
        if (const auto place = places[layout].find(counter_name(use.counter_set, name));
            place != places[layout].end())
          entry.uses.push_back({place->second, amount.nano()});
  }
}

std::uint32_t find_counter(const CounterLayout& layout, std::string_view set, std::string_view counter) {
  const auto found = std::ranges::find(layout.names, counter_name(set, counter));
  return found == layout.names.end() ? kNone : static_cast<std::uint32_t>(found - layout.names.begin());
}

}  // namespace etiage::dra
