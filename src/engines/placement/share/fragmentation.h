#pragma once
// How much of a node's free GPU the usual pods could not use (FGD: Weng et al., USENIX ATC 2023, section 3).

#include <cstdint>
#include <vector>

#include "engines/placement/share/cluster.h"

namespace etiage::placement {

/// A usual pod and its part of all arrivals (the parts sum to 1).
struct TypicalPod {
  PodClass pod;
  double part = 0;
};

/// The most frequent requests (memory is not looked at) that together make up 95 % of the pods, CPU-only ones
/// included; the same count: the larger request first.
std::vector<TypicalPod> typical_pods(const ShareCluster& cluster);

/// F(n) in milli-GPU: the expectation, over the typical pods, of the free GPU that such a pod cannot use on
/// the node. Everything is unusable where it does not fit, and for CPU-only pods; where it fits, the devices
/// with too little room. Answers are remembered by what they depend on.
class Fragmentation {
 public:
  explicit Fragmentation(std::vector<TypicalPod> typical);

  double of(const NodeState& node);
  double of(const std::vector<NodeState>& nodes);
  /// The same with one placement made in thought.
  double after(const NodeState& node, const PodClass& pod, DeviceSet devices);

 private:
  /// Device room in descending order, ten bits each, and the number of the thresholds that the free CPU
  /// reaches.
  struct Key {
    std::uint64_t devices_low = 0, devices_high_cpu_model = 0;
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    Key key;
    double value = -1;  ///< negative: free
  };
  Key key_of(const NodeState& node) const;
  double compute(const NodeState& node) const;
  void grow();
  Slot& find(const Key& key);

  std::vector<TypicalPod> typical_;
  std::vector<std::int64_t> cpu_steps_;  ///< distinct CPU requests of the typical pods, ascending
  bool model_matters_ = false;
  std::vector<Slot> slots_;  ///< open addressing, a power of two
  std::size_t used_ = 0;
};

}  // namespace etiage::placement
