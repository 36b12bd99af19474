#pragma once
// The published policies: a whole number from 0 to 100 for a node that fits, the highest wins, ties go to the
// node that comes first. (hkust-adsl/kubernetes-scheduler-simulator, pkg/simulator/plugin, for each formula.)

#include <optional>
#include <string_view>
#include <vector>

#include "engines/placement/share/cluster.h"
#include "engines/placement/share/fragmentation.h"
#include "engines/placement/share/hole_prices.h"

namespace etiage::placement {

enum class SharePolicy {
  kRandom,
  kBestFit,
  kDotProduct,
  kGpuPacking,
  kGpuClustering,
  kFgd,
  kMostAllocated,
  kPriced
};

inline constexpr int kMaxScore = 100;

/// `best-fit`, `fgd`, ...
std::optional<SharePolicy> share_policy(std::string_view name);
std::string_view to_string(SharePolicy policy);
std::vector<SharePolicy> share_policies();

/// What the policies know of the pods that usually come, beside the node itself.
struct PolicyContext {
  explicit PolicyContext(const ShareCluster& cluster);

  Fragmentation fragmentation;      ///< FGD's F
  Fragmentation gpu_fragmentation;  ///< F without the CPU-only pods, to which no GPU is of use anywhere
  HolePrices holes;
  double cpu_per_device = 0;  ///< milli-CPU that the middle pod of whole devices asks for with each
};

/// The score of a node on which `pod` fits.
int score(SharePolicy policy, const NodeState& node, const PodClass& pod, PolicyContext& context);

/// The devices that the policy takes on the chosen node.
DeviceSet choose_devices(SharePolicy policy, const NodeState& node, const PodClass& pod,
                         PolicyContext& context);

}  // namespace etiage::placement
