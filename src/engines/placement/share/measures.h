#pragma once
// What state a cluster of GPUs is in, by the names that Kant (arXiv 2510.01256) gave these measures.

#include <array>
#include <cstdint>
#include <span>

#include "engines/placement/share/cluster.h"

namespace etiage::placement {

struct Measures {
  double gar = 0;  ///< GPU allocation ratio: allocated GPUs of all
  double gfr = 0;  ///< GPU fragmentation ratio: nodes with GPUs that are partly allocated, of all such nodes
  /// Whole GPUs that one pod could be given on one node; CPU and memory are not looked at.
  std::int32_t largest_pod = 0;
  /// The largest share of one device that is free, in milli.
  std::int32_t largest_share = 0;
  /// How many pods of k whole GPUs would find a place, by k.
  std::array<std::int64_t, kMaxDevices + 1> placeable{};
};

/// Devices of a node whose CPU, memory or number of pods is used up are nobody's.
Measures measures(std::span<const NodeState> nodes);

}  // namespace etiage::placement
