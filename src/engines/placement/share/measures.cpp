#include "engines/placement/share/measures.h"

#include <algorithm>

namespace etiage::placement {

Measures measures(std::span<const NodeState> nodes) {
  Measures out;
  std::int64_t gpus = 0, free = 0, with_gpus = 0, partly = 0;
  for (const NodeState& n : nodes) {
    if (n.gpus == 0) continue;
    const std::int32_t left = n.gpu_free();
    gpus += n.gpus;
    free += left;
    ++with_gpus;
    partly += left > 0 && left < n.gpus * kWholeDevice;
    if (n.cpu_free <= 0 || n.memory_free <= 0 || n.pods >= kMaxPodsPerNode) continue;
    const std::int32_t whole = n.whole_free();
    out.largest_pod = std::max(out.largest_pod, whole);
    out.largest_share = std::max<std::int32_t>(out.largest_share, n.descending().front());
    for (std::int32_t k = 1; k <= kMaxDevices; ++k) out.placeable[static_cast<std::size_t>(k)] += whole / k;
  }
  if (gpus > 0) {
    out.gar = 1 - static_cast<double>(free) / static_cast<double>(gpus * kWholeDevice);
    out.gfr = static_cast<double>(partly) / static_cast<double>(with_gpus);
  }
  return out;
}

}  // namespace etiage::placement
