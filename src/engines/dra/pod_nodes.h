#pragma once
// On which nodes a pod may be tried, by its node selector and required node affinity alone.

#include <vector>

#include "model/node.h"
#include "model/pod.h"

namespace etiage::dra {

/// By name. A node without the label `kubernetes.io/hostname` is taken to have its name there.
std::vector<const Node*> nodes_for(const Pod& pod, const std::vector<Node>& nodes);

}  // namespace etiage::dra
