#pragma once
// Placement: which node (and which of its devices) a pod goes to, as kube-scheduler and the published
// GPU-sharing policies decide it, and better where better is possible. This header: the state of a cluster of
// shared devices, cut down to what decides a placement.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/gpu_share.h"

namespace etiage::placement {

inline constexpr int kMaxDevices = 8;
/// kubelet's default of 1001 is what the published replay gives each node.
inline constexpr std::int32_t kMaxPodsPerNode = 1001;

/// Pods that nothing here can tell apart. `accepts` has a bit for each device model.
struct PodClass {
  std::int64_t cpu_milli = 0, memory_mib = 0;
  std::int32_t gpus = 0, gpu_milli = 0;
  std::uint64_t accepts = ~std::uint64_t{0};
  std::string models;

  bool shares() const { return gpus == 1 && gpu_milli < kWholeDevice; }
  std::int64_t total_gpu_milli() const { return std::int64_t{gpus} * gpu_milli; }
  bool operator==(const PodClass&) const = default;
};

/// What is left of a node.
struct NodeState {
  std::int64_t cpu_free = 0, memory_free = 0, cpu_total = 0;
  std::array<std::int16_t, kMaxDevices> device_free{};  ///< milli; devices that do not exist stay 0
  std::int32_t gpus = 0;
  std::int32_t pods = 0;
  std::uint8_t model = 0;  ///< bit number in PodClass::accepts
  /// Pods by kind: [0] those that share a device, [k] those of k whole devices.
  std::array<std::uint16_t, kMaxDevices + 1> kinds{};

  std::int32_t gpu_free() const {
    std::int32_t sum = 0;
    for (const auto d : device_free) sum += d;
    return sum;
  }
  std::int32_t whole_free() const {
    std::int32_t n = 0;
    for (int i = 0; i < gpus; ++i) n += device_free[static_cast<std::size_t>(i)] == kWholeDevice;
    return n;
  }
  /// The free milli of the devices, the freest first.
  std::array<std::int16_t, kMaxDevices> descending() const {
    auto d = device_free;
    for (std::size_t i = 1; i < d.size(); ++i)  // insertion: eight values, nearly in order
      for (std::size_t j = i; j > 0 && d[j] > d[j - 1]; --j) std::swap(d[j], d[j - 1]);
    return d;
  }
  bool operator==(const NodeState&) const = default;
};

/// A set of devices of one node, a bit each.
using DeviceSet = std::uint8_t;

struct ShareCluster {
  std::vector<NodeState> nodes;
  std::vector<PodClass> classes;
  std::vector<std::uint32_t> class_of;  ///< of each pod of the trace

  std::int64_t total_gpus() const;
};

/// Groups the pods into classes and numbers the device models. Fails where there are more than 63 models.
Result<ShareCluster> make_share_cluster(const std::vector<ShareNode>& nodes,
                                        const std::vector<SharePod>& pods);

bool fits(const NodeState& node, const PodClass& pod);
void place(NodeState& node, const PodClass& pod, DeviceSet devices);
void remove(NodeState& node, const PodClass& pod, DeviceSet devices);
/// The fullest device that still has room for a sharing pod, the first whole ones otherwise.
DeviceSet tightest_devices(const NodeState& node, const PodClass& pod);

}  // namespace etiage::placement
