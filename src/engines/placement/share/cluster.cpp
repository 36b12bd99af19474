#include "engines/placement/share/cluster.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

namespace etiage::placement {
namespace {

using ModelNumbers = std::map<std::string, std::uint8_t, std::less<>>;

/// The bits of `A|B`; a list that names nothing accepts everything.
std::uint64_t accepted(std::string_view models, const ModelNumbers& numbers) {
  std::uint64_t bits = 0;
  bool named = false;
  while (!models.empty()) {
    const std::string_view name = models.substr(0, models.find('|'));
    models.remove_prefix(std::min(models.size(), name.size() + 1));
    named |= !name.empty();
    if (const auto it = numbers.find(name); it != numbers.end() && !name.empty())
      bits |= std::uint64_t{1} << it->second;
  }
  return named ? bits : ~std::uint64_t{0};
}

NodeState empty_node(const ShareNode& node, std::uint8_t model) {
  NodeState out{.cpu_free = node.cpu_milli, .memory_free = node.memory_mib, .cpu_total = node.cpu_milli};
  out.gpus = node.gpus;
  out.model = model;
  for (int i = 0; i < node.gpus; ++i) out.device_free[static_cast<std::size_t>(i)] = kWholeDevice;
  return out;
}

std::size_t kind_of(const PodClass& pod) {
  return pod.shares() ? 0 : static_cast<std::size_t>(pod.gpus);
}

void move_load(NodeState& node, const PodClass& pod, DeviceSet devices, int sign) {
  node.cpu_free -= sign * pod.cpu_milli;
  node.memory_free -= sign * pod.memory_mib;
  node.pods += sign;
  if (pod.gpus > 0) node.kinds[kind_of(pod)] = static_cast<std::uint16_t>(node.kinds[kind_of(pod)] + sign);
  for (std::size_t i = 0; i < kMaxDevices; ++i)
    if (devices >> i & 1)
      node.device_free[i] = static_cast<std::int16_t>(node.device_free[i] - sign * pod.gpu_milli);
}

}  // namespace

std::int64_t ShareCluster::total_gpus() const {
  std::int64_t sum = 0;
  for (const NodeState& n : nodes) sum += n.gpus;
  return sum;
}

Result<ShareCluster> make_share_cluster(const std::vector<ShareNode>& nodes,
                                        const std::vector<SharePod>& pods) {
  ShareCluster out;
  ModelNumbers models;
  for (const ShareNode& node : nodes) {
    const auto number = static_cast<std::uint8_t>(models.size());
    const auto model = models.try_emplace(node.model, number).first->second;
    if (models.size() > 63) return failure("more than 63 device models among the nodes");
    out.nodes.push_back(empty_node(node, model));
  }
  std::map<std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t, std::string>, std::uint32_t>
      known;
  for (const SharePod& p : pods) {
    const auto key = std::tuple(p.cpu_milli, p.memory_mib, p.gpus, p.gpu_milli, p.models);
    const auto [it, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(out.classes.size()));
    if (fresh)
      out.classes.push_back(
          {p.cpu_milli, p.memory_mib, p.gpus, p.gpu_milli, accepted(p.models, models), p.models});
    out.class_of.push_back(it->second);
  }
  return out;
}

bool fits(const NodeState& node, const PodClass& pod) {
  if (node.cpu_free < pod.cpu_milli || node.memory_free < pod.memory_mib || node.pods >= kMaxPodsPerNode)
    return false;
  if (pod.gpus == 0) return true;
  if (!(pod.accepts >> node.model & 1)) return false;
  int room = 0;
  for (const auto free : node.device_free) room += free >= pod.gpu_milli;
  return room >= pod.gpus;
}

void place(NodeState& node, const PodClass& pod, DeviceSet devices) {
  move_load(node, pod, devices, 1);
}
void remove(NodeState& node, const PodClass& pod, DeviceSet devices) {
  move_load(node, pod, devices, -1);
}

DeviceSet tightest_devices(const NodeState& node, const PodClass& pod) {
  DeviceSet out = 0;
  if (pod.shares()) {
    int best = -1;
    for (int i = 0; i < node.gpus; ++i) {
      const auto free = node.device_free[static_cast<std::size_t>(i)];
      if (free >= pod.gpu_milli && (best < 0 || free < node.device_free[static_cast<std::size_t>(best)]))
        best = i;
    }
    assert(best >= 0 && "the pod fits");
    return static_cast<DeviceSet>(1u << best);
  }
  for (int i = 0, left = pod.gpus; left > 0; ++i) {
    assert(i < kMaxDevices && "the pod fits");
    if (node.device_free[static_cast<std::size_t>(i)] != kWholeDevice) continue;
    out = static_cast<DeviceSet>(out | 1u << i);
    --left;
  }
  return out;
}

}  // namespace etiage::placement
