#pragma once
// kube-scheduler's decisions for a list of pods, one after the other, each seeing what the earlier ones did.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dra/claim_book.h"
#include "engines/placement/kube/attempt.h"
#include "engines/placement/kube/node_sample.h"
#include "engines/placement/kube/preemption.h"
#include "engines/placement/kube/quick_choice.h"

namespace etiage::placement {

enum class ScheduleOutcome { kBound, kUnschedulable, kPreempting, kGated };
std::string_view to_string(ScheduleOutcome outcome);

/// All of `best` are equally good; kube-scheduler takes any, here the first by name is bound.
struct ScheduleResult {
  PodIndex pod = 0;
  ScheduleOutcome outcome = ScheduleOutcome::kUnschedulable;
  NodeIndex bound_to = kNoNode;
  std::vector<NodeIndex> best;
  /// Where only some nodes are looked at: all that the pod may get, wherever the walk begins; by name.
  std::vector<NodeIndex> possible;
  std::map<NodeIndex, Refusal> filtered;
  std::vector<NodeIndex> feasible;  ///< with `scores` by position; by name
  ScoreTable scores;
  std::string message;  ///< that of the FailedScheduling event
  std::optional<NodeIndex> nominated;
  std::vector<PodIndex> victims;
  std::vector<PreemptionCandidate> candidates;
};

/// The order in which the pods are tried: that of the input, or of the scheduler's queue (priority, then
/// creation).
enum class ScheduleOrder { kInput, kQueue };

/// How much is told: everything, or where the pod is bound, or the message why it is not.
enum class Detail { kEverything, kNode };

class Scheduler {
 public:
  /// `devices`: release and gates, as they decide about claims.
  static Result<Scheduler> make(SchedulingInput input, const SchedulerConfiguration& configuration,
                                const dra::Behaviour& devices = dra::behaviour_of({},
                                                                                  dra::default_gates({})));

  /// From now on only as many nodes are looked at as percentageOfNodesToScore says; else all are scored.
  void sample_nodes() { sample_.emplace(*snapshot_); }

  const Snapshot& snapshot() const { return *snapshot_; }
  /// Pods without a node that have neither finished nor are being deleted.
  std::vector<PodIndex> pending(ScheduleOrder order) const;
  /// Tries one pod. Victims vanish at once and the pod takes its nominated node.
  ScheduleResult schedule(PodIndex pod, Detail detail = Detail::kEverything);
  /// The group of a pod; null: it is scheduled alone.
  const PodGroup* group_of(PodIndex pod) const;
  /// Tries the pods of a group that have no node, in their order: a gang is bound as a whole, or all is
  /// undone.
  std::vector<ScheduleResult> schedule_group(const PodGroup& group, Detail detail = Detail::kEverything);

 private:
  /// What was said of pods of a shape that no node takes; it stands while no node changes.
  struct RefusedShape {
    std::uint64_t at;
    ScheduleResult result;
  };
  enum class Preemption { kAllowed, kLeftToTheGroup };
  ScheduleResult attempt(PodIndex pod, Detail detail, Preemption preemption);
  void unbind(PodIndex pod);
  struct GroupAttempt {
    bool together = false;
    std::string message;  ///< why it has not come together
    std::vector<ScheduleResult> results;
  };
  /// Tries the open pods of a group one after the other; all is undone where it does not come together.
  GroupAttempt try_group(const PodGroup& group, const std::vector<PodIndex>& open, Detail detail);
  /// Makes room for a group that has not come together. On success the victims are gone and the group's pods
  /// are where they are promised a place. `message`: what preemption has done, or why it does nothing.
  GroupAttempt preempt_for(const PodGroup& group, const std::vector<PodIndex>& open);
  bool may_preempt_for(const PodGroup& group, const std::vector<PodIndex>& open) const;
  bool fits_with_all(const std::vector<ScheduleResult>& placed);
  /// Why the group is not in the queue; empty: it is.
  std::string group_waits_for(const PodGroup& group) const;
  bool is_open(PodIndex pod) const;

  using Profiles = std::map<std::string, Profile, std::less<>>;
  Scheduler(Snapshot snapshot, Profiles profiles);
  QuickChoice& quick();
  const Profile* profile_of(PodIndex pod) const;  ///< null: none answers to its schedulerName
  /// Nothing where the pod must be tried in full.
  std::optional<ScheduleResult> choose_quickly(const Profile& profile, PodIndex pod);
  void bind(PodIndex pod, NodeIndex node, PodDevices* devices);
  void filter(const FilterState& filters, ScheduleResult& result);
  void filter_sample(const FilterState& filters, std::size_t enough, ScheduleResult& result);
  std::vector<NodeIndex> possible_nodes(const Profile& profile, const FilterState& filters,
                                        const PodDevices* devices, PodIndex pod);
  std::vector<NodeIndex> best_among(const Profile& profile, const PodDevices* devices, PodIndex pod,
                                    const std::vector<NodeIndex>& nodes);
  std::optional<Refusal> judge(const FilterState& filters, NodeIndex node, NodeIndex promised) const;
  std::string outside_prefilter(const FilterState& filters, NodeIndex promised) const;
  void choose(const Profile& profile, PodDevices* devices, ScheduleResult& result);
  void preempt(const FilterState& filters, PodDevices* devices, ScheduleResult& result);
  /// Why the pod may not preempt; empty: it may.
  std::string ineligible_to_preempt(const ScheduleResult& result) const;

  // Behind pointers: the quick choice refers to the other two, and the scheduler may be moved.
  std::unique_ptr<Snapshot> snapshot_;
  std::unique_ptr<Profiles> profiles_;
  std::unique_ptr<QuickChoice> quick_;  ///< made when first asked for
  std::uint64_t changes_ = 0;           ///< of nodes, so far
  std::unordered_map<ShapeIndex, RefusedShape> refused_;
  std::unique_ptr<dra::ClaimBook> claims_;  ///< null where nothing is claimed
  Nominations nominations_;
  std::optional<NodeSample> sample_;
};

}  // namespace etiage::placement
