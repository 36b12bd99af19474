#pragma once
// The texts of FailedScheduling events, word for word (pkg/scheduler/framework/types.go, FitError).

#include <map>
#include <string>

#include "engines/placement/kube/attempt.h"

namespace etiage::placement {

/// `0/4 nodes are available: 3 Insufficient cpu, 1 node(s) were unschedulable.`
std::string no_node_message(std::size_t nodes, const std::map<NodeIndex, Refusal>& refused);
/// The same where PreFilter refused the pod as such.
std::string no_node_message(std::size_t nodes, const Refusal& everywhere);
/// What preemption says where it finds no victims that help.
std::string no_preemption_message(std::size_t nodes, const std::map<NodeIndex, Refusal>& tried);

}  // namespace etiage::placement
