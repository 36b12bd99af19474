#pragma once
// Fields that several of Kueue's kinds share. Internal to formats/kube/kueue*.

#include <optional>
#include <string>
#include <vector>

#include "base/tree.h"
#include "formats/kube/resources.h"
#include "model/queue.h"
#include "model/queue_workload.h"

namespace etiage::formats::kueue {

std::vector<std::string> read_strings(const Tree& tree);
std::optional<std::string> read_optional_string(const Tree& tree);
/// What does not fit into 32 bits is refused and counts as absent.
std::optional<std::int32_t> read_int32(const Tree& tree, const std::string& path,
                                       const FieldReading& reading);
std::optional<Quantity> read_quantity(const Tree& tree, const std::string& path, const FieldReading& reading);
std::vector<ResourceGroup> read_resource_groups(const Tree& tree, const FieldReading& reading);
StopPolicy read_stop_policy(const Tree& tree, const FieldReading& reading);

ClusterQueue read_cluster_queue(const Tree& object, ObjectMeta meta, const FieldReading& reading);
Workload read_workload(const Tree& object, ObjectMeta meta, const FieldReading& reading);
TopologyAssignment read_topology_assignment(const Tree& tree, const FieldReading& reading);

}  // namespace etiage::formats::kueue
