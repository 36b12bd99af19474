#include "engines/placement/share/device_patterns.h"

namespace etiage::placement {

Knapsack::Knapsack(std::vector<std::int32_t> sizes, const std::vector<double>& prices)
    : sizes_(std::move(sizes)) {
  for (std::size_t length = 1; length <= kWholeDevice; ++length) {
    value_[length] = value_[length - 1];
    last_[length] = -1;
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      const auto size = static_cast<std::size_t>(sizes_[s]);
      if (size > length || value_[length - size] + prices[s] <= value_[length] + 1e-12) continue;
      value_[length] = value_[length - size] + prices[s];
      last_[length] = static_cast<int>(s);
    }
  }
}

Pattern Knapsack::pattern() const {
  Pattern out(sizes_.size());
  for (std::size_t length = kWholeDevice; length > 0;) {
    const int s = last_[length];
    if (s >= 0) ++out[static_cast<std::size_t>(s)];
    length -= s < 0 ? 1 : static_cast<std::size_t>(sizes_[static_cast<std::size_t>(s)]);
  }
  return out;
}

}  // namespace etiage::placement
