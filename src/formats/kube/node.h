#pragma once
// Nodes, from trees to the model.

#include <string>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/node.h"

namespace etiage::formats {

Node read_node(const Tree& object, const std::string& file, Diagnostics& diagnostics);
/// The object that `read_node` reads so; owners and images are left out.
Tree node_tree(const Node& node);
std::vector<Taint> read_taints(const Tree& tree);
std::vector<Condition> read_conditions(const Tree& tree);

}  // namespace etiage::formats
