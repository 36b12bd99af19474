#pragma once
// Pods that are scheduled together or not at all: PodGroup of scheduling.k8s.io (1.36, 1.37; gate
// GenericWorkload) and the pod groups of a Workload (1.35; gate GangScheduling).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etiage::placement {

struct PodGroup {
  std::string ns, name;                   ///< of 1.35: WORKLOAD/GROUP, and /KEY where replicas are told apart
  bool known = true;                      ///< false: pods name it, and the object is not there
  std::optional<std::int32_t> min_count;  ///< gang; absent: its pods are scheduled one by one
  std::vector<std::uint32_t> members;     ///< PodIndex of every pod that names it
  std::int32_t priority = 0;              ///< for preemption, its pods' own do not count
  bool may_preempt = false;               ///< since 1.37; a Workload's of 1.35 does not
  bool disrupted_as_one = false;          ///< disruptionMode all: preemption takes all its pods or none

  bool operator==(const PodGroup&) const = default;
};

/// How far a group has come (GangScheduling's PlacementFeasible).
struct GroupProgress {
  std::int32_t min_count = 1;
  std::int32_t scheduled = 0, remaining = 0;

  bool reached() const { return scheduled >= min_count; }
  bool hopeless() const { return scheduled + remaining < min_count; }
  /// `minCount (4) cannot be satisfied: 2 scheduled, 1 remaining`; only where it is not reached.
  std::string message() const;
};

}  // namespace etiage::placement
