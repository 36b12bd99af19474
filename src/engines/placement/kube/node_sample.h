#pragma once
// Which nodes kube-scheduler looks at where it does not score all of them (percentageOfNodesToScore): it
// walks round the nodes, zone by zone, until enough of them fit, and the next pod goes on where it stopped
// (numFeasibleNodesToFind, nextStartNodeIndex; 1.37). Its workers walk in parallel; one after the other here.

#include <cstdint>
#include <vector>

#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

class NodeSample {
 public:
  /// `percentage`: 0 is adaptive, 50 % less 1 for each 125 nodes, and no less than 5 %.
  NodeSample(const Snapshot& snapshot, std::int32_t percentage);

  /// So many nodes that fit are enough: all below 100, and never less than 100.
  std::size_t enough() const { return enough_; }
  /// The node at that step of the walk.
  NodeIndex at(std::size_t step) const { return order_[(start_ + step) % order_.size()]; }
  std::size_t size() const { return order_.size(); }
  /// A pod's walk is over: it has judged so many nodes.
  void advance(std::size_t judged) { start_ = (start_ + judged) % order_.size(); }

 private:
  std::vector<NodeIndex> order_;  ///< one of each zone in turn
  std::size_t start_ = 0, enough_;
};

std::size_t feasible_nodes_to_find(std::size_t nodes, std::int32_t percentage);

}  // namespace etiage::placement
