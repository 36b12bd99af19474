#pragma once
// Which nodes kube-scheduler looks at where it does not score all of them (percentageOfNodesToScore): it
// walks round the nodes, zone by zone, until enough of them fit, and the next pod goes on where it stopped
// (numFeasibleNodesToFind, nextStartNodeIndex; 1.37). Its workers walk in parallel; one after the other here.

#include <cstdint>
#include <functional>
#include <vector>

#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

class NodeSample {
 public:
  explicit NodeSample(const Snapshot& snapshot);

  /// The node at that step of the walk.
  NodeIndex at(std::size_t step) const { return order_[(start_ + step) % order_.size()]; }
  std::size_t size() const { return order_.size(); }
  /// A pod's walk is over: it has judged so many nodes.
  void advance(std::size_t judged) { start_ = (start_ + judged) % order_.size(); }
  /// Nodes in the order of a walk that begins at the first.
  const std::vector<NodeIndex>& order() const { return order_; }

 private:
  std::vector<NodeIndex> order_;  ///< one of each zone in turn
  std::size_t start_ = 0;
};

/// So many nodes that fit are enough: all below 100 nodes, and never less than 100. `percentage`: 0 is
/// adaptive, 50 % less 1 for each 125 nodes, and no less than 5 %.
std::size_t feasible_nodes_to_find(std::size_t nodes, std::int32_t percentage);
/// The same for a profile that names a percentage; one without scores takes the first node that fits.
std::size_t enough_nodes(const Profile& profile, std::size_t nodes);

/// What a walk may choose, wherever it begins: of `fitting`, in the order of the walk, each sees `enough` in
/// a row and takes what is best among them.
using BestAmong = std::function<std::vector<NodeIndex>(const std::vector<NodeIndex>&)>;
std::vector<NodeIndex> best_of_any_walk(const std::vector<NodeIndex>& fitting, std::size_t enough,
                                        const BestAmong& best);
/// The same where a node's score does not depend on the others: `scores` by position.
std::vector<NodeIndex> best_of_any_walk(const std::vector<NodeIndex>& fitting, std::size_t enough,
                                        const std::vector<std::int64_t>& scores);

}  // namespace etiage::placement
