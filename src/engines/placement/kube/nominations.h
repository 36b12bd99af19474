#pragma once
// Pods that preemption has promised a node and that are not there yet: those of equal or higher priority
// count in the filters of others.

#include <map>
#include <vector>

#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

class Nominations {
 public:
  explicit Nominations(const Snapshot& snapshot);

  bool empty() const { return by_node_.empty(); }
  /// The pods that are counted on the node while `pod` is tried.
  std::vector<PodIndex> ahead_of(const Snapshot& snapshot, PodIndex pod, NodeIndex node) const;
  /// Where the pod is promised a place; kNoNode: nowhere.
  NodeIndex node_of(PodIndex pod) const;
  /// The pod has got a node.
  void remove(PodIndex pod);
  /// Preemption takes the node for `pod`: promises to pods of lower priority are taken back.
  void yield_to(const Snapshot& snapshot, PodIndex pod, NodeIndex node);

 private:
  std::map<NodeIndex, std::vector<PodIndex>> by_node_;
};

}  // namespace etiage::placement
