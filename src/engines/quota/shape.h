#pragma once
// What many workloads have in common: the same pod sets asking for the same things are one shape.

#include <optional>
#include <string>
#include <vector>

#include "engines/quota/gates.h"
#include "engines/quota/ids.h"
#include "model/queue_config.h"

namespace etiage::quota {

struct PodSetShape {
  const PodSet* spec = nullptr;                ///< of one of the workloads: their counts may differ
  std::int32_t count = 0;                      ///< pods that are not done yet
  std::vector<ResourceAmount> per_pod;         ///< what counts against quota, sorted by resource
  std::vector<ResourceAmount> placed_per_pod;  ///< what a node must have, sorted by resource
  bool explicit_topology = false;
};

struct Shape {
  std::vector<PodSetShape> pod_sets;
  std::vector<std::vector<std::uint32_t>> groups;  ///< pod sets that take their flavors together
  std::vector<std::string> pod_set_names;
  bool explicit_topology = false;  ///< some pod set asks for a topology
  std::string invalid;             ///< why Kueue refuses the requests; empty: it does not
};

/// Resources that the workload names anywhere, for numbering.
void collect_resources(const Workload& workload, const QueueConfiguration& configuration,
                       std::vector<std::string>& names);

/// Equal for workloads that Kueue's equivalence hash takes for the same, priority aside.
std::string shape_key(const Workload& workload, const Gates& gates);

Shape make_shape(const Workload& workload, const QueueConfiguration& configuration, const Gates& gates,
                 const Names<ResourceId>& resources);

}  // namespace etiage::quota
