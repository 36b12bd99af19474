#pragma once
// Shared counters while the search goes on: what is left of them, and what the devices being taken use.

#include <optional>
#include <string>
#include <vector>

#include "engines/dra/in_use.h"
#include "engines/dra/pools.h"

namespace etiage::dra {

/// Tables come to be when first needed, from the pool that needs them. A table is short as long as any of its
/// counters is, also one that the device at hand does not use.
class CounterTables {
 public:
  CounterTables(const Fleet& fleet, const NodePools& pools, const Behaviour& behaviour, const InUse& in_use);

  /// Takes what the device uses; false, and nothing taken, where the table is short then.
  bool take(std::uint32_t pool, const PoolDevice& device);
  void give_back(std::uint32_t pool, const PoolDevice& device);
  /// What is left of each counter of the device's table.
  const std::vector<Quantity::Nano>& left(std::uint32_t pool, const PoolDevice& device) {
    return table_for(pool, device).counters.left;
  }

 private:
  struct Table {
    const CounterLayout* layout = nullptr;
    std::uint32_t owner = kNone;  ///< the pool whose layout it is
    CountersLeft counters;
  };
  Table& table_for(std::uint32_t pool, const PoolDevice& device);
  void change(Table& table, std::uint32_t pool, const PoolDevice& device, int sign) const;
  std::vector<CounterUse> uses_by_name(const Table& table, std::uint32_t device) const;

  const Fleet* fleet_;
  const NodePools* pools_;
  const Behaviour* behaviour_;
  const InUse* in_use_;
  std::vector<std::uint32_t> first_table_;  ///< by pool
  std::vector<Table> tables_;
};

}  // namespace etiage::dra
