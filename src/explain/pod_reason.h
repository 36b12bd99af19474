#pragma once
// Why one pod waits for a node: in kube-scheduler's own words, node by node, with what preemption would do,
// what its claims lack and the smallest changes that let it in.

#include <optional>
#include <string>
#include <vector>

#include "explain/pod_changes.h"
#include "explain/pod_placement.h"

namespace etiage::explain {

/// What the cluster itself has noted of the pod's last attempt.
struct RecordedReason {
  std::string source;  ///< `condition PodScheduled`, `event FailedScheduling`
  std::string message;
  std::optional<Instant> since;

  bool operator==(const RecordedReason&) const = default;
};

struct ClaimState {
  std::string name;   ///< of the ResourceClaim
  std::string state;  ///< allocated, pending, missing
  std::string message;

  bool operator==(const ClaimState&) const = default;
};

/// A pod of the same group, as the group was tried.
struct GroupMember {
  std::string name;
  std::string outcome;  ///< also `scheduled`: it has a node; `fits`: it would, were the group complete
  std::string message;

  bool operator==(const GroupMember&) const = default;
};

struct PodReason {
  std::string ns, name;
  std::string outcome;    ///< scheduled, ended, bound, unschedulable, preempting, gated
  std::string statement;  ///< one sentence
  std::string message;    ///< that of FailedScheduling; empty where it would not fail
  std::string node;       ///< where it is, or would go
  std::optional<Instant> since;
  std::optional<RecordedReason> recorded;
  std::vector<RefusedNodes> refusals;
  std::string nominated_node;
  std::vector<std::string> victims;  ///< that leave, or would have to
  std::vector<std::string> ahead;    ///< pods that come before it in the queue and take its place
  std::vector<ClaimState> claims;
  std::string group;  ///< its PodGroup; empty: it is scheduled alone
  std::vector<GroupMember> members;
  std::vector<PlacementChange> changes;
};

/// `name`: NAME or NAMESPACE/NAME. `recorded`: events of that pod, the last first, as far as they are known.
Result<PodReason> pod_reason(const SchedulingWorld& world, const std::string& name,
                             const std::vector<RecordedReason>& events);

/// The pod of that name; an error where there is none, or several.
Result<placement::PodIndex> find_pod(const std::vector<Pod>& pods, const std::string& name);

}  // namespace etiage::explain
