#pragma once
// The claims of a cluster while pods come and go: which claims a pod needs, why it has to wait for them, what
// they would be given on a node (the scheduler's DynamicResources plugin).

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "engines/dra/allocator.h"
#include "model/node.h"
#include "model/pod.h"

namespace etiage::dra {

/// Devices of a class that a node reaches.
struct DeviceCount {
  std::int64_t all = 0, taken = 0;
};

class ClaimBook {
 public:
  using Claims = std::vector<ResourceClaim*>;

  /// `objects` must outlive the book.
  ClaimBook(const DraObjects& objects, const Behaviour& behaviour, Ordering ordering = {});
  ClaimBook(const ClaimBook&) = delete;
  ClaimBook& operator=(const ClaimBook&) = delete;

  Allocator& allocator() { return allocator_; }
  const InUse& in_use() const { return in_use_; }

  /// A pod's claims in the order of its spec; or why they are not there yet. A claim that a template gives is
  /// made now where it is not there.
  std::expected<Claims, std::string> claims_of(const Pod& pod);
  /// Keeps a claim that was made for a pod, in place of one of that name.
  ResourceClaim& keep(ResourceClaim claim);
  /// Why the pod has to wait whatever the node; empty: it need not.
  std::string refusal(const Pod& pod, const Claims& claims) const;
  /// What the claims without allocation would be given on the node; no fit also where an allocated claim is
  /// out of its reach. `Attempt::message` says why.
  Attempt try_node(const NodeIdentity& node, const std::vector<const ResourceClaim*>& claims);
  /// Notes the allocations, one for each claim that had none, and that the pod uses all of them.
  void bind(const Pod& pod, const Claims& claims, std::vector<Allocation> allocations);
  /// The pod is gone: claims that nobody uses any longer give up their devices.
  void release(const Pod& pod);
  /// As scores count an extended resource that a class backs; none at all where a selector fails.
  DeviceCount count(const DeviceClass& device_class, const NodeIdentity& node);

 private:
  std::string claim_made_for(const Pod& pod, const PodClaim& entry);
  std::string unusable(const ResourceClaim& claim, const DeviceRequest& request) const;
  bool count_slice(const FleetSlice& slice, const std::vector<SelectorAnswers::Handle>& selectors,
                   const NodeIdentity& node, DeviceCount& out);

  const DraObjects* objects_;
  Behaviour behaviour_;
  Allocator allocator_;
  InUse in_use_;
  std::map<std::string, ResourceClaim> claims_;  ///< by `namespace/name`; places stay where they are
};

}  // namespace etiage::dra
