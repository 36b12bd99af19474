#pragma once
// Does a NodeSelector take a node? As component-helpers' nodeaffinity decides.

#include <optional>
#include <string>
#include <string_view>

#include "model/meta.h"

namespace etiage {

/// The labels and the name are all that a NodeSelector sees of a node.
struct NodeIdentity {
  std::string_view name;
  const LabelMap& labels;
};

/// Why Kubernetes refuses the selector as a whole; nothing where it is sound. A term without parts is not
/// looked at.
std::optional<std::string> selector_fault(const NodeSelector& selector);

/// Any term suffices; a term without parts takes nothing. A selector with a fault must be asked about first.
bool matches(const NodeSelector& selector, const NodeIdentity& node);
bool matches(const NodeSelectorTerm& term, const NodeIdentity& node);
/// One requirement against labels.
bool matches(const Requirement& requirement, const LabelMap& labels);

}  // namespace etiage
