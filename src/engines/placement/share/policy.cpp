#include "engines/placement/share/policy.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace etiage::placement {
namespace {

constexpr std::pair<SharePolicy, std::string_view> kNames[] = {
    {SharePolicy::kRandom, "random"},
    {SharePolicy::kBestFit, "best-fit"},
    {SharePolicy::kDotProduct, "dot-product"},
    {SharePolicy::kGpuPacking, "gpu-packing"},
    {SharePolicy::kGpuClustering, "gpu-clustering"},
    {SharePolicy::kFgd, "fgd"},
    {SharePolicy::kMostAllocated, "most-allocated"},
    {SharePolicy::kPriced, "priced"}};

/// The largest node that the published formulas are scaled by.
constexpr double kLargestCpu = 128000;
constexpr std::int32_t kLargestGpu = 8000;

int best_fit(const NodeState& node, const PodClass& pod) {
  double left = 0;
  left += static_cast<double>(node.cpu_free - pod.cpu_milli) / kLargestCpu * 0.5;
  left += static_cast<double>(node.gpu_free() - pod.total_gpu_milli()) / kLargestGpu * 0.5;
  return static_cast<int>((1.0 - left) * kMaxScore);
}

int dot_product(const NodeState& node, const PodClass& pod) {
  double product = 0;
  product +=
      static_cast<double>(node.cpu_free) / kLargestCpu * (static_cast<double>(pod.cpu_milli) / kLargestCpu);
  product += static_cast<double>(node.gpu_free()) / kLargestGpu *
             (static_cast<double>(pod.total_gpu_milli()) / kLargestGpu);
  return static_cast<int>(kMaxScore * (1 - product / 2));
}

/// Best on devices that are in use already, then on free devices of a node in use, then on an empty node.
int gpu_packing(const NodeState& node, const PodClass& pod) {
  if (pod.gpus == 0) return 0;
  const int whole = node.whole_free();
  if (whole == node.gpus) return std::max(kMaxScore / 3 - whole, whole);
  const auto free = node.descending();
  int wanted = pod.gpus, opened = 0, percent = 0;
  for (int i = node.gpus; i-- > 0 && wanted > 0;) {
    const int room = free[static_cast<std::size_t>(i)];
    if (room < pod.gpu_milli) continue;
    --wanted;
    opened += room == kWholeDevice;
    percent += room * 100 / kWholeDevice;
  }
  if (opened > 0) return std::max(kMaxScore / 2 - opened, kMaxScore / 3);
  return std::max(kMaxScore - percent / 10, kMaxScore / 2);
}

/// Keeps pods that ask alike together.
int gpu_clustering(const NodeState& node, const PodClass& pod) {
  if (pod.gpus == 0) return 0;
  const auto kinds = std::ranges::count_if(node.kinds, [](auto n) { return n > 0; });
  const bool alike = node.kinds[pod.shares() ? 0 : static_cast<std::size_t>(pod.gpus)] > 0;
  const int used = kMaxScore / 4 * (kLargestGpu - node.gpu_free()) / kLargestGpu;
  if (alike) return used + (kinds == 1 ? 75 : 50);
  return used + (kinds == 0 ? 25 : 0);
}

int sigmoid_score(double gain) {
  return static_cast<int>(1.0 / (1.0 + std::exp(-gain / 1000)) * kMaxScore);
}

struct Choice {
  int score = -1;
  DeviceSet devices = 0;
};

/// The best device for a sharing pod (the first among equals), or the first whole ones; `gain` rates the node
/// as it would be, in milli-GPU.
template <class Gain>
Choice best_devices(const NodeState& node, const PodClass& pod, Gain gain) {
  const auto rated = [&](DeviceSet devices) {
    NodeState next = node;
    place(next, pod, devices);
    return Choice{sigmoid_score(gain(next)), devices};
  };
  if (!pod.shares()) return rated(tightest_devices(node, pod));
  Choice best;
  for (std::size_t i = 0; i < static_cast<std::size_t>(node.gpus); ++i) {
    if (node.device_free[i] < pod.gpu_milli) continue;
    const auto seen = node.device_free.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(node.device_free.begin(), seen, node.device_free[i]) != seen)
      continue;  // an equal device came first
    if (const Choice c = rated(static_cast<DeviceSet>(1u << i)); c.score > best.score) best = c;
  }
  return best;
}

Choice fgd(const NodeState& node, const PodClass& pod, PolicyContext& context) {
  const double before = context.fragmentation.of(node);
  return best_devices(node, pod,
                      [&](const NodeState& next) { return before - context.fragmentation.of(next); });
}

/// Milli of the free devices that the free CPU cannot feed.
double starved(const NodeState& node, double cpu_per_device) {
  const double wanted = cpu_per_device * node.gpu_free() / kWholeDevice;
  return std::max(0.0, wanted - static_cast<double>(node.cpu_free)) / cpu_per_device * kWholeDevice;
}

/// FGD's gain among pods with GPUs, less what becomes of holes that nobody will fill and of devices without
/// CPU. The weights were found by search on the default workload of openb, seeds 42 to 46.
Choice priced(const NodeState& node, const PodClass& pod, PolicyContext& context) {
  constexpr double kHoles = 8, kStarved = 3;
  const double before = context.gpu_fragmentation.of(node);
  const double holes = context.holes.waste(node), starving = starved(node, context.cpu_per_device);
  return best_devices(node, pod, [&](const NodeState& next) {
    return before - context.gpu_fragmentation.of(next) - kHoles * (context.holes.waste(next) - holes) -
           kStarved * (starved(next, context.cpu_per_device) - starving);
  });
}

int most_allocated(const NodeState& node, const PodClass& pod) {
  if (pod.gpus == 0 || node.gpus == 0) return 0;
  const std::int64_t all = std::int64_t{node.gpus} * kWholeDevice;
  return static_cast<int>((all - node.gpu_free() + pod.total_gpu_milli()) * kMaxScore / all);
}

}  // namespace

std::optional<SharePolicy> share_policy(std::string_view name) {
  for (const auto& [policy, known] : kNames)
    if (known == name) return policy;
  return {};
}

std::string_view to_string(SharePolicy policy) {
  return std::ranges::find(kNames, policy, [](const auto& n) { return n.first; })->second;
}

std::vector<SharePolicy> share_policies() {
  std::vector<SharePolicy> out;
  for (const auto& [policy, name] : kNames) out.push_back(policy);
  return out;
}

namespace {

std::vector<TypicalPod> without_cpu_only(std::vector<TypicalPod> typical) {
  std::erase_if(typical, [](const TypicalPod& t) { return t.pod.gpus == 0; });
  return typical;
}

/// The weighted median over the whole devices that are asked for.
double middle_cpu_per_device(const ShareCluster& cluster) {
  std::map<double, double> devices;
  double total = 0;
  for (const auto c : cluster.class_of) {
    const PodClass& p = cluster.classes[c];
    if (p.gpus == 0 || p.shares()) continue;
    devices[static_cast<double>(p.cpu_milli) / p.gpus] += 1;
    total += 1;
  }
  double seen = 0;
  for (const auto& [cpu, n] : devices)
    if ((seen += n) * 2 >= total) return std::max(cpu, 1.0);
  return 1000;
}

}  // namespace

PolicyContext::PolicyContext(const ShareCluster& cluster)
    : fragmentation(typical_pods(cluster)),
      gpu_fragmentation(without_cpu_only(typical_pods(cluster))),
      holes(share_demand(cluster)),
      cpu_per_device(middle_cpu_per_device(cluster)) {}

int score(SharePolicy policy, const NodeState& node, const PodClass& pod, PolicyContext& context) {
  switch (policy) {
    case SharePolicy::kBestFit:
      return best_fit(node, pod);
    case SharePolicy::kDotProduct:
      return dot_product(node, pod);
    case SharePolicy::kGpuPacking:
      return gpu_packing(node, pod);
    case SharePolicy::kGpuClustering:
      return gpu_clustering(node, pod);
    case SharePolicy::kFgd:
      return fgd(node, pod, context).score;
    case SharePolicy::kMostAllocated:
      return most_allocated(node, pod);
    case SharePolicy::kPriced:
      return priced(node, pod, context).score;
    case SharePolicy::kRandom:
      return 0;
  }
  return 0;
}

DeviceSet choose_devices(SharePolicy policy, const NodeState& node, const PodClass& pod,
                         PolicyContext& context) {
  if (policy == SharePolicy::kFgd) return fgd(node, pod, context).devices;
  if (policy == SharePolicy::kPriced) return priced(node, pod, context).devices;
  return tightest_devices(node, pod);
}

}  // namespace etiage::placement
