#pragma once
// On which nodes an allocation can be used: the node selector of its result.

#include <optional>
#include <string>

#include "base/result.h"
#include "engines/dra/behaviour.h"
#include "model/dra.h"
#include "model/node_selector.h"

namespace etiage::dra {

/// A device of one node (or one that binds to it) restricts to that node; node selectors add up in one term.
class NodeRestriction {
 public:
  NodeRestriction(const Behaviour& behaviour, const NodeIdentity& node)
      : behaviour_(behaviour), node_(node) {}

  void add(const ResourceSlice& slice, const Device& device);
  /// Absent: every node. Fails where a node selector has not one term, which the API server would refuse.
  Result<std::optional<NodeSelector>> selector() const;

 private:
  const Behaviour& behaviour_;
  const NodeIdentity& node_;
  bool one_node_ = false;
  NodeSelectorTerm term_;
  std::optional<std::string> fault_;
};

}  // namespace etiage::dra
