#pragma once
// What the free part of a shared device is worth, given the sizes of the pods that come: the dual prices of
// the cutting-stock problem (Gilmore and Gomory 1961) of packing all sharing pods onto as few devices as
// possible.

#include <array>
#include <cstdint>
#include <vector>

#include "engines/placement/share/cluster.h"

namespace etiage::placement {

/// How many pods of a size share a device.
struct SizeDemand {
  std::int32_t milli = 0;
  double count = 0;
};

class HolePrices {
 public:
  /// Looks at the most frequent sizes; others are worth what fits into them.
  explicit HolePrices(std::vector<SizeDemand> demand);

  /// Milli of the free part that the usual sizes cannot be expected to fill; below zero where a hole is
  /// wanted more than its size says. A whole device loses nothing.
  double waste(std::int32_t free_milli) const { return waste_[static_cast<std::size_t>(free_milli)]; }
  double waste(const NodeState& node) const {
    double sum = 0;
    for (int i = 0; i < node.gpus; ++i) sum += waste(node.device_free[static_cast<std::size_t>(i)]);
    return sum;
  }
  /// Devices that the demand needs at least (the LP's value).
  double devices_needed() const { return devices_needed_; }

 private:
  std::array<double, kWholeDevice + 1> waste_{};
  double devices_needed_ = 0;
};

/// The sharing pods of a trace by size.
std::vector<SizeDemand> share_demand(const ShareCluster& cluster);

}  // namespace etiage::placement
