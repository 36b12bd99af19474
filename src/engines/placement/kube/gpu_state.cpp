#include "engines/placement/kube/gpu_state.h"

#include <algorithm>

namespace etiage::placement {
namespace {

struct Count {
  std::int64_t all = 0, taken = 0;
};

Count gpus_of(const Snapshot& snapshot, const NodeInfo& node) {
  Count out;
  for (const char* name : {"nvidia.com/gpu", "amd.com/gpu"})
    if (const auto r = snapshot.resources().find(name)) {
      out.all += node.allocatable_of(*r);
      out.taken += node.requested_of(*r);
    }
  return out;
}

NodeState state_of(const NodeInfo& node, const Count& gpus) {
  constexpr std::int64_t kMebibyte = 1024 * 1024;
  NodeState out;
  out.cpu_total = node.allocatable_of(kCpu);
  out.cpu_free = out.cpu_total - node.requested_of(kCpu);
  out.memory_free = (node.allocatable_of(kMemory) - node.requested_of(kMemory)) / kMebibyte;
  out.gpus = static_cast<std::int32_t>(gpus.all);
  out.pods = static_cast<std::int32_t>(node.pods.size());
  for (std::int64_t i = std::min(gpus.taken, gpus.all); i < gpus.all; ++i)
    out.device_free[static_cast<std::size_t>(i)] = kWholeDevice;
  return out;
}

}  // namespace

GpuNodes gpu_nodes(const Snapshot& snapshot) {
  GpuNodes out;
  for (const NodeInfo& node : snapshot.nodes()) {
    const Count gpus = gpus_of(snapshot, node);
    if (gpus.all > kMaxDevices)
      ++out.left_out;
    else if (gpus.all > 0)
      out.nodes.push_back(state_of(node, gpus));
  }
  return out;
}

}  // namespace etiage::placement
