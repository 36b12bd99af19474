#pragma once
// What a replay could allocate at most, so that every result stands beside what is possible.

#include "engines/placement/share/replay.h"

namespace etiage::placement {

/// In milli-GPU, each at least as large as what any policy reaches, and none larger than the one before.
struct AllocationBound {
  /// The GPUs there are, what is asked for, and what the CPU there is can feed when the pods with the least
  /// CPU for their GPUs come first.
  std::int64_t resources = 0;
  /// Nodes by class, devices cut by patterns; pods may be chosen and refused at will.
  std::int64_t patterns = 0;
  /// The same where no pod may be refused that fits: a pod of the kind that leaves the largest holes has to
  /// be taken as long as a whole device is free for it. Equal to `patterns` where the replay may put pods
  /// off.
  std::int64_t none_refused = 0;

  std::int64_t milli() const { return none_refused; }
};

AllocationBound allocation_bound(const ReplayInput& input);

}  // namespace etiage::placement
