#pragma once
// Scores of a node's resources, in kube-scheduler's integers
// (pkg/scheduler/framework/plugins/noderesources, 1.37).

#include <vector>

#include "engines/placement/kube/pod_devices.h"
#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

/// Strategy and resources of one scorer, and what one shape of pods asks of each.
class ResourceScorer {
 public:
  /// NodeResourcesFit: CPU and memory with defaults where nothing is said.
  static ResourceScorer fit(const NodeResourcesFitArgs& args, const PodSpec& spec, ResourceNames& names);
  /// NodeResourcesBalancedAllocation: what is requested, and no more.
  static ResourceScorer balanced(const SchedulerProfile& profile, const PodSpec& spec, ResourceNames& names);

  /// Extended resources that a node gives by claim count their devices; null: there are none.
  void count_devices(const PodDevices* devices) { devices_ = devices; }
  /// 0 to 100.
  std::int64_t score(const NodeInfo& node) const;
  /// The pod asks for none of the resources: BalancedAllocation skips it.
  bool asks_for_nothing() const;

 private:
  enum class Kind { kLeast, kMost, kRatio, kBalanced };
  struct Item {
    ResourceIndex resource;
    std::int64_t weight, asked;
    bool skip;  ///< an extended resource that the pod does not ask for
  };
  std::int64_t one(std::int64_t used, std::int64_t capacity) const;
  std::int64_t balance(const NodeInfo& node) const;
  /// What the node has of a resource, and how much of it is taken.
  struct Room {
    std::int64_t capacity, used;
  };
  Room room(const NodeInfo& node, ResourceIndex resource) const;

  Kind kind_ = Kind::kLeast;
  const PodDevices* devices_ = nullptr;
  bool by_improvement_ = true;
  std::vector<Item> items_;
  std::vector<ShapePoint> shape_;
};

}  // namespace etiage::placement
