#pragma once
// The published policies: a whole number from 0 to 100 for a node that fits, the highest wins, ties go to the
// node that comes first. (hkust-adsl/kubernetes-scheduler-simulator, pkg/simulator/plugin, for each formula.)

#include <optional>
#include <string_view>
#include <vector>

#include "engines/placement/share/cluster.h"
#include "engines/placement/share/fragmentation.h"

namespace etiage::placement {

enum class SharePolicy { kRandom, kBestFit, kDotProduct, kGpuPacking, kGpuClustering, kFgd, kMostAllocated };

inline constexpr int kMaxScore = 100;

/// `best-fit`, `fgd`, ...
std::optional<SharePolicy> share_policy(std::string_view name);
std::string_view to_string(SharePolicy policy);
std::vector<SharePolicy> share_policies();

/// The score of a node on which `pod` fits; `fragmentation` is asked by FGD alone.
int score(SharePolicy policy, const NodeState& node, const PodClass& pod, Fragmentation& fragmentation);

/// The devices that the policy takes on the chosen node.
DeviceSet choose_devices(SharePolicy policy, const NodeState& node, const PodClass& pod,
                         Fragmentation& fragmentation);

}  // namespace etiage::placement
