#pragma once
// Nodes for the pods of schedulers that ask kube-scheduler's filters and choose among the nodes by scores of
// their own: places are taken, and given back where a group does not come together.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engines/placement/amounts.h"
#include "engines/placement/kube/attempt.h"

namespace etiage::placement {

struct NodeChoice {
  NodeIndex node = kNoNode;     ///< the first by name of `best`
  std::vector<NodeIndex> best;  ///< equally good; the real scheduler takes any
  std::string message;          ///< why no node fits
};

using Refusals = std::map<NodeIndex, Refusal>;

class NodeBook {
 public:
  /// Scores of the nodes, by position.
  using Scores = std::function<std::vector<double>(PodIndex, const std::vector<NodeIndex>&)>;

  static Result<NodeBook> make(SchedulingInput input);

  const Snapshot& snapshot() const { return snapshot_; }
  bool runs(PodIndex pod) const { return snapshot_.record(pod).node != kNoNode; }
  /// Neither placed nor finished, gated or about to go.
  bool waits(PodIndex pod) const;
  /// CPU in cores, everything else in whole units.
  Amounts requests(PodIndex pod) const;
  Amounts allocatable(NodeIndex node) const;
  Amounts requested(NodeIndex node) const;
  Amounts total() const;
  /// kube-scheduler's own scores with that profile.
  std::vector<double> scores(PodIndex pod, const std::vector<NodeIndex>& nodes, const Profile& profile);

  /// `refused`: nodes that are not asked, and on return those that refused the pod too.
  NodeChoice place(PodIndex pod, const Scores& scores, Refusals* refused = nullptr);
  void give_back(PodIndex pod) { snapshot_.evict(pod); }

 private:
  NodeBook(Snapshot snapshot, Profile profile)
      : snapshot_(std::move(snapshot)), profile_(std::move(profile)) {}
  Amounts named(const std::vector<std::int64_t>& by_resource) const;

  Snapshot snapshot_;
  Profile profile_;
};

}  // namespace etiage::placement
