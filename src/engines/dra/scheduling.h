#pragma once
// Pods with claims, one after the other, as the scheduler's DynamicResources plugin treats them.

#include <map>
#include <string>
#include <vector>

#include "engines/dra/allocator.h"
#include "model/node.h"
#include "model/pod.h"

namespace etiage::dra {

struct ClusterObjects {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  DraObjects dra;
};

/// One device of one of the pod's claims.
struct PodDevice {
  std::string claim;
  AllocatedDevice device;

  bool operator==(const PodDevice&) const = default;
};

struct PodPlacement {
  enum class Outcome : std::uint8_t { kAllocated, kPending, kError };
  std::string ns, name;
  Outcome outcome = Outcome::kPending;
  std::string node;  ///< of an allocated pod
  std::vector<PodDevice> devices;
  std::string message;

  bool operator==(const PodPlacement&) const = default;
};

std::string_view to_string(PodPlacement::Outcome outcome);

struct Placements {
  std::vector<PodPlacement> pods;
  /// Other results that this release can give from run to run (1.34, 1.35 and the stable variant leave the
  /// order of pools to chance); a sample where there are many orders.
  std::vector<std::vector<PodPlacement>> alternatives;
};

/// Pods that are bound already are left out. The others in the order of their creation, then name; what one
/// is given is gone for the next. A pod without a fixed node gets the first node by name that has what it
/// needs.
Placements place_pods(const ClusterObjects& objects, const Behaviour& behaviour);

}  // namespace etiage::dra
