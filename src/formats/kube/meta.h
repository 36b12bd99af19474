#pragma once
// What every Kubernetes object has (metadata, selectors), from trees to the model.

#include <string>

#include "base/tree.h"
#include "model/meta.h"

namespace etiage::formats {

/// `metadata`; `namespaced` kinds without a namespace get `default`. The place is that of the object.
ObjectMeta read_meta(const Tree& object, const std::string& file, bool namespaced);
LabelMap read_label_map(const Tree& tree);
/// An operator that is not known becomes `In` without values, which selects nothing.
std::vector<Requirement> read_requirements(const Tree& tree);
LabelSelector read_label_selector(const Tree& tree);
NodeSelectorTerm read_node_selector_term(const Tree& tree);
/// `{nodeSelectorTerms: [...]}`.
NodeSelector read_node_selector(const Tree& tree);

}  // namespace etiage::formats
