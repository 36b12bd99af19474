#pragma once
// The published replay ("inflation"): pods arrive one after the other, nothing leaves, what fits nowhere is
// dropped.

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/placement/share/policy.h"

namespace etiage::placement {

struct Placement {
  std::uint32_t pod = 0, node = 0;
  DeviceSet devices = 0;
};

/// What the cluster was like after each arrival.
struct ReplayEvent {
  std::int64_t arrived_milli = 0, used_milli = 0;
  double fragmented_milli = 0;  ///< sum of F over the nodes
};

struct ReplayResult {
  std::vector<ReplayEvent> events;
  std::vector<Placement> placed;
  std::uint32_t failed = 0;
  std::uint32_t put_off = 0;     ///< that went to the end of the queue
  std::vector<NodeState> nodes;  ///< at the end

  std::int64_t used_milli() const { return events.empty() ? 0 : events.back().used_milli; }
  /// Scheduling occupancy rate (SOR): allocated of available GPU time. The replay has no clock: each arrival
  /// lasts as long as every other.
  double occupancy(std::int64_t total_gpus) const;
};

struct ReplayInput {
  const ShareCluster& cluster;
  std::vector<std::uint32_t> arrivals;  ///< pods of the trace in order of arrival; one may come several times
  std::vector<std::uint32_t> ties;      ///< nodes, the winner of ties first
  std::uint64_t seed = 0;               ///< of the random policy
  /// Pending pods among which the next one is chosen; 1: strictly in order of arrival.
  std::size_t look_ahead = 1;
  /// Pods that would waste what they take go to the end of the queue; without it they stay among the pending
  /// ones, and none is refused that fits.
  bool defer = false;
  /// ... but only once so many percent of the GPUs are allocated.
  double defer_above = 0;
};

ReplayResult replay(const ReplayInput& input, SharePolicy policy);

/// GPUs of nodes on which anything runs.
std::int64_t gpus_touched(const std::vector<NodeState>& nodes);

/// A value for each load in percent of the cluster's GPUs: the mean over the events whose arrived demand
/// rounds to that load (those of the neighbouring loads where there are none; nothing where these are missing
/// too), in percent with two decimals. Rounded as the published tables were made by pandas: single
/// allocations first, then their mean.
struct LoadCurve {
  std::vector<std::optional<double>> allocation_percent, fragmentation_percent;
};
LoadCurve load_curve(const ReplayResult& result, std::int64_t total_gpus, int first, int last);

}  // namespace etiage::placement
