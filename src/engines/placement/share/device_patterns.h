#pragma once
// How one device is cut into shares.

#include <array>
#include <cstdint>
#include <vector>

#include "model/gpu_share.h"

namespace etiage::placement {

/// How many of each size are cut from one device.
using Pattern = std::vector<double>;

/// The most valuable way to fill each length up to a device, at a price for each size.
class Knapsack {
 public:
  Knapsack(std::vector<std::int32_t> sizes, const std::vector<double>& prices);

  double value(std::int32_t length) const { return value_[static_cast<std::size_t>(length)]; }
  /// The one that fills a whole device best.
  Pattern pattern() const;

 private:
  std::vector<std::int32_t> sizes_;
  std::array<double, kWholeDevice + 1> value_{};
  std::array<int, kWholeDevice + 1> last_{};  ///< what is cut last for a length; -1: a milli is left over
};

}  // namespace etiage::placement
