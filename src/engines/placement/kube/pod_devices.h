#pragma once
// DynamicResources: the claims of one pod in the filters, the scores and the choice
// (pkg/scheduler/framework/plugins/dynamicresources, 1.37).

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dra/claim_book.h"
#include "engines/placement/kube/refusal.h"
#include "engines/placement/kube/snapshot.h"

namespace etiage::placement {

/// One pod's claims while it is tried; each node is asked once, whatever comes to it or leaves it.
class PodDevices {
 public:
  /// `book` and `snapshot` must outlive it.
  PodDevices(dra::ClaimBook& book, const Snapshot& snapshot, PodIndex pod);

  /// Claims that are not there yet keep the pod out of the queue; empty: none do.
  const std::string& waits_for() const { return waits_for_; }
  /// Why no node will do (PreFilter).
  const std::optional<Refusal>& refused_everywhere() const { return refused_everywhere_; }
  /// The node gives the resource by claim: no device plugin offers it, and a DeviceClass backs it.
  bool is_claimed(ResourceIndex resource, const NodeInfo& node) const;
  std::optional<Refusal> check(NodeIndex node);
  /// An error that ends the attempt on all nodes; empty: there was none.
  const std::string& fault() const { return fault_; }
  /// The raw score: how early the alternatives of prioritized lists come that the node would give.
  std::int64_t preference(NodeIndex node) const;
  /// What the devices of a class count for as an extended resource; none where no class backs it.
  dra::DeviceCount count(ResourceIndex resource, NodeIndex node) const;
  /// Nothing to allocate, nowhere.
  bool idle() const { return claims_.empty() && backed_.empty(); }
  void bind(NodeIndex node);

 private:
  struct Answer {
    dra::Attempt attempt;
    std::optional<ResourceClaim> extended;  ///< made for what this node gives by claim
  };
  const Answer& answer(NodeIndex node);

  dra::ClaimBook* book_;
  const Snapshot* snapshot_;
  PodIndex pod_;
  dra::ClaimBook::Claims claims_;
  std::vector<std::pair<ResourceIndex, const DeviceClass*>> backed_;  ///< extended resources that it asks for
  std::string waits_for_, fault_;
  std::optional<Refusal> refused_everywhere_;
  std::unordered_map<NodeIndex, Answer> answers_;
};

}  // namespace etiage::placement
