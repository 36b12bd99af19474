#pragma once
// The flavors that one workload would get, and how: the result of a nomination.

#include <optional>
#include <vector>

#include "engines/quota/reason.h"
#include "engines/quota/state.h"

namespace etiage::quota {

/// Worst first.
enum class Mode : std::uint8_t { kNoFit, kPreempt, kFit };

struct Pick {
  ResourceId resource;
  FlavorId flavor;
  Column column = kNoColumn;
  Mode mode = Mode::kFit;
  std::int32_t tried = 0;   ///< index of the last flavor looked at; -1: all were
  std::int32_t borrow = 0;  ///< height of the subtree that the quota comes from
};

struct PodSetAssignment {
  std::int32_t count = 0;
  std::vector<ResourceAmount> requests;  ///< of all pods together, `pods` among them where that is covered
  std::vector<Pick> picks;               ///< empty: no flavor was found
  std::vector<Reason> reasons;
  std::string error;                              ///< not empty: something other than quota is wrong
  std::optional<std::vector<LeafPods>> topology;  ///< the domains, once found
  bool topology_delayed = false;

  bool fits_as_is() const { return error.empty() && reasons.empty(); }
  Mode mode() const;
  void set_mode(Mode mode);
  const Pick* pick(ResourceId resource) const;
};

struct Assignment {
  std::vector<PodSetAssignment> pod_sets;  ///< up to and including the first that found nothing
  std::vector<ColumnAmount> usage;         ///< sorted by column
  std::int32_t borrowing = 0;              ///< 0: within its own quota
  std::optional<Mode> known_mode;          ///< set once asked, and by the topology search

  void clear();
  /// The worst of the pod sets.
  Mode mode();
  void add_usage(Column column, Amount amount);
  /// What the workload holds where nothing is missing.
  StatusText status() const;
  /// Where the next attempt goes on; null where it starts again.
  std::unique_ptr<LastTried> last_tried(std::int64_t generation) const;
};

enum class PreemptionReason : std::uint8_t {
  kInClusterQueue,
  kInCohortReclamation,
  kInCohortFairSharing,
  kInCohortReclaimWhileBorrowing
};

/// `InClusterQueue` and so on, as the Preempted condition says it.
std::string_view condition_reason(PreemptionReason reason);
/// `prioritization in the ClusterQueue` and so on, as the messages say it.
std::string_view human_reason(PreemptionReason reason);

struct Target {
  WorkloadId workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;

  bool operator==(const Target&) const = default;
};

}  // namespace etiage::quota
