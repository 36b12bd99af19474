#pragma once
// The door: claims of one pod on one node, answered as that release of Kubernetes answers.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dra/behaviour.h"
#include "engines/dra/in_use.h"
#include "engines/dra/plan.h"
#include "engines/dra/pools.h"
#include "engines/dra/search.h"
#include "engines/dra/selectors.h"

namespace etiage::dra {

struct Attempt {
  enum class Outcome : std::uint8_t {
    kAllocated,
    kNoFit,      ///< this node has not what it takes
    kUnfitNode,  ///< no fit, and the node has invalid pools (message)
    kFault,      ///< the whole attempt is aborted, on every node (message)
  };
  Outcome outcome = Outcome::kNoFit;
  std::string message;
  std::vector<Allocation> allocations;  ///< one a claim, in their order
  std::uint64_t steps = 0;
};

/// The devices and classes of a cluster. Remembers compiled selectors, their answers and the pools of nodes,
/// so one thread at a time; what claims hold is told with each call.
class Allocator {
 public:
  Allocator(const Behaviour& behaviour, std::vector<ResourceSlice> slices,
            const std::vector<DeviceTaintRule>& rules, std::vector<DeviceClass> classes,
            Ordering ordering = {});

  const Behaviour& behaviour() const { return behaviour_; }
  const Fleet& fleet() const { return *fleet_; }
  const ClassMap& classes() const { return class_map_; }
  SelectorAnswers& answers() { return answers_; }
  Shortlists& shortlists() { return shortlists_; }
  InUse nothing_in_use() const { return {*fleet_, behaviour_}; }
  /// By the node's name: a node must keep its labels.
  const NodePools& pools_on(const NodeIdentity& node);

  /// Makes every device ready for selectors, which is else done when it is first asked about.
  void prepare() { answers_.prepare_all(); }

  /// All claims or none. The search is the real one's; ties are broken by `Ordering` where the real one
  /// leaves them to chance.
  Attempt allocate(const NodeIdentity& node, const std::vector<const ResourceClaim*>& claims,
                   const InUse& in_use);

 private:
  Result<Allocation> assemble(const std::vector<TakenDevice>& taken, const ResourceClaim& claim,
                              const NodeIdentity& node) const;

  Behaviour behaviour_;
  Ordering ordering_;
  std::vector<ResourceSlice> slices_;
  std::vector<DeviceClass> classes_;
  ClassMap class_map_;
  std::unique_ptr<const Fleet> fleet_;
  SelectorAnswers answers_;
  Shortlists shortlists_;
  std::unordered_map<std::string, NodePools> pools_;
};

}  // namespace etiage::dra
