#include "engines/placement/kube/gpu_state.h"

#include <algorithm>
#include <array>
#include <set>

namespace etiage::placement {
namespace {

constexpr std::array kGpuNames = {"nvidia.com/gpu", "amd.com/gpu"};

struct Count {
  std::int64_t all = 0, taken = 0;
};

Count gpus_of(const Snapshot& snapshot, const NodeInfo& node) {
  Count out;
  for (const char* name : kGpuNames)
    if (const auto r = snapshot.resources().find(name)) {
      out.all += node.allocatable_of(*r);
      out.taken += node.requested_of(*r);
    }
  return out;
}

std::int64_t gpus_of(const Snapshot& snapshot, PodIndex pod) {
  std::int64_t out = 0;
  for (const char* name : kGpuNames)
    if (const auto r = snapshot.resources().find(name)) out += snapshot.shape_of(pod).request(*r);
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

std::optional<double> gpu_occupancy(const Snapshot& snapshot, const std::vector<ScheduleResult>& tried) {
  Count all;
  for (const NodeInfo& node : snapshot.nodes()) {
    const Count c = gpus_of(snapshot, node);
    all.all += c.all;
    all.taken += std::min(c.taken, c.all);
  }
  if (all.all == 0 || tried.empty()) return {};
  std::set<PodIndex> gone;  // the pods of a group all name its victims
  std::vector<std::int64_t> steps;
  for (const ScheduleResult& r : tried) {
    steps.push_back(r.bound_to == kNoNode ? 0 : gpus_of(snapshot, r.pod));
    for (const PodIndex v : r.victims)
      if (gone.insert(v).second) steps.back() -= gpus_of(snapshot, v);
  }
  std::int64_t now = all.taken;
  for (const std::int64_t s : steps) now -= s;
  double sum = 0;
  for (const std::int64_t s : steps) sum += static_cast<double>(now += s);
  return sum / (static_cast<double>(all.all) * static_cast<double>(steps.size()));
}

}  // namespace etiage::placement
