#include "engines/placement/share/policy.h"

#include <algorithm>
#include <cmath>

namespace etiage::placement {
namespace {

constexpr std::pair<SharePolicy, std::string_view> kNames[] = {
    {SharePolicy::kRandom, "random"},
    {SharePolicy::kBestFit, "best-fit"},
    {SharePolicy::kDotProduct, "dot-product"},
    {SharePolicy::kGpuPacking, "gpu-packing"},
    {SharePolicy::kGpuClustering, "gpu-clustering"},
    {SharePolicy::kFgd, "fgd"},
    {SharePolicy::kMostAllocated, "most-allocated"}};

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

int fgd_score(double before, double after) {
  return static_cast<int>(1.0 / (1.0 + std::exp(-(before - after) / 1000)) * kMaxScore);
}

/// FGD's best device for a sharing pod (the first among equals), or the first whole ones, and the score.
std::pair<int, DeviceSet> fgd(const NodeState& node, const PodClass& pod, Fragmentation& fragmentation) {
  const double before = fragmentation.of(node);
  if (!pod.shares()) {
    const DeviceSet devices = tightest_devices(node, pod);
    return {fgd_score(before, fragmentation.after(node, pod, devices)), devices};
  }
  int best = -1;
  DeviceSet chosen = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(node.gpus); ++i) {
    if (node.device_free[i] < pod.gpu_milli) continue;
    const auto seen = node.device_free.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(node.device_free.begin(), seen, node.device_free[i]) != seen)
      continue;  // an equal device came first
    const auto devices = static_cast<DeviceSet>(1u << i);
    const int s = fgd_score(before, fragmentation.after(node, pod, devices));
    if (s > best) best = s, chosen = devices;
  }
  return {best, chosen};
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

int score(SharePolicy policy, const NodeState& node, const PodClass& pod, Fragmentation& fragmentation) {
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
      return fgd(node, pod, fragmentation).first;
    case SharePolicy::kMostAllocated:
      return most_allocated(node, pod);
    case SharePolicy::kRandom:
      return 0;
  }
  return 0;
}

DeviceSet choose_devices(SharePolicy policy, const NodeState& node, const PodClass& pod,
                         Fragmentation& fragmentation) {
  if (policy == SharePolicy::kFgd) return fgd(node, pod, fragmentation).second;
  return tightest_devices(node, pod);
}

}  // namespace etiage::placement
