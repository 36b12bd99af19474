// How many pods have to leave a node at the least: each dimension for itself, those that free the most first.

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "engines/placement/share/repack.h"

namespace etiage::placement {
namespace {

/// How many of the amounts, the largest first, reach `needed`; nothing where all together do not.
template <class T>
std::optional<int> count_to(std::vector<T> amounts, T needed) {
  std::ranges::sort(amounts, std::greater());
  int n = 0;
  for (const T a : amounts) {
    if (needed <= T{}) break;
    needed -= a;
    ++n;
  }
  if (needed > T{}) return {};
  return n;
}

/// Pods on each device.
std::array<int, kMaxDevices> pods_on_devices(const std::vector<RunningPod>& there) {
  std::array<int, kMaxDevices> out{};
  for (const RunningPod& r : there)
    for (std::size_t d = 0; d < kMaxDevices; ++d) out[d] += r.devices >> d & 1;
  return out;
}

/// For a share it is enough to empty one device so far.
std::optional<int> for_share(const NodeState& node, std::int32_t milli, const std::vector<RunningPod>& there,
                             const std::vector<PodClass>& classes) {
  std::optional<int> best;
  for (std::size_t d = 0; d < static_cast<std::size_t>(node.gpus); ++d) {
    std::vector<std::int32_t> amounts;
    for (const RunningPod& r : there)
      if (r.devices >> d & 1) amounts.push_back(classes[r.pod_class].gpu_milli);
    const auto n = count_to<std::int32_t>(std::move(amounts), milli - node.device_free[d]);
    if (n && (!best || *n < *best)) best = n;
  }
  return best;
}

/// A device that c pods share is emptied by c of them: each does a c-th of it, counted in 840ths (which all
/// numbers up to 8 divide; of more pods each does less than it is given here, so it stays a floor).
std::optional<int> for_whole(const NodeState& node, std::int32_t gpus, const std::vector<RunningPod>& there) {
  constexpr int kDevice = 840;
  const auto sharers = pods_on_devices(there);
  std::vector<int> amounts;
  for (const RunningPod& r : there) {
    int amount = 0;
    for (std::size_t d = 0; d < kMaxDevices; ++d)
      if (r.devices >> d & 1) amount += (kDevice + sharers[d] - 1) / sharers[d];
    amounts.push_back(amount);
  }
  return count_to(std::move(amounts), (gpus - node.whole_free()) * kDevice);
}

}  // namespace

std::optional<int> leaves_at_least(const NodeState& node, const PodClass& pod,
                                   const std::vector<RunningPod>& there,
                                   const std::vector<PodClass>& classes) {
  if (pod.gpus > node.gpus || (pod.gpus > 0 && !(pod.accepts >> node.model & 1))) return {};
  std::vector<std::int64_t> cpu, memory;
  for (const RunningPod& r : there) {
    cpu.push_back(classes[r.pod_class].cpu_milli);
    memory.push_back(classes[r.pod_class].memory_mib);
  }
  const int too_many = std::max(0, node.pods + 1 - kMaxPodsPerNode);
  const auto by_cpu = count_to<std::int64_t>(std::move(cpu), pod.cpu_milli - node.cpu_free);
  const auto by_memory = count_to<std::int64_t>(std::move(memory), pod.memory_mib - node.memory_free);
  const auto by_gpu = pod.gpus == 0  ? std::optional(0)
                      : pod.shares() ? for_share(node, pod.gpu_milli, there, classes)
                                     : for_whole(node, pod.gpus, there);
  if (!by_cpu || !by_memory || !by_gpu) return {};
  return std::max({*by_cpu, *by_memory, *by_gpu, too_many});
}

}  // namespace etiage::placement
