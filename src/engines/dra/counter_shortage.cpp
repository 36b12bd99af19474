#include "engines/dra/counter_shortage.h"

#include "engines/dra/pool_counters.h"

namespace etiage::dra {

std::optional<CounterShortage> counter_shortage(const Scene& scene, const Candidate& candidate,
                                                CounterTables& tables) {
  const Pool& pool = scene.pools.pools[candidate.pool];
  const std::uint32_t which = layout_of(pool, scene.fleet.devices()[candidate.device].slice);
  if (which == kNone) return std::nullopt;
  const PoolDevice& entry = entry_of(scene.pools, candidate);
  if (tables.take(candidate.pool, entry)) {
    tables.give_back(candidate.pool, entry);
    return std::nullopt;
  }
  const auto& left = tables.left(candidate.pool, entry);
  const CounterLayout& layout = pool.layouts[which];
  std::vector<Quantity::Nano> after(left.begin(), left.end());
  after.resize(layout.names.size());
  for (const CounterUse& use : entry.uses) after[use.counter] -= use.amount;
  std::size_t worst = 0;
  for (std::size_t i = 1; i < after.size(); ++i)
    if (after[i] < after[worst]) worst = i;
  if (after.empty() || after[worst] >= 0) return CounterShortage{"of a pool of the same name", {}};
  return CounterShortage{layout.names[worst], Quantity::nano(-after[worst], Quantity::Format::kBinarySI)};
}

}  // namespace etiage::dra
