#pragma once
// Why a claim is not allocated: one reason for each device, how selectors fare clause by clause, and the
// smallest change that would flip the answer. (The scheduler itself only says "cannot allocate all claims".)

#include <string>
#include <vector>

#include "engines/dra/rejection.h"
#include "engines/dra/scheduling.h"

namespace etiage::dra {

struct ClauseTally {
  std::string text;
  cel::ClauseCount count;  ///< over all devices of the fleet, the clause by itself
};

struct SelectorTally {
  std::string owner;  ///< `class gpu`, or `claim default/c`
  std::size_t index = 0;
  std::string expression;
  std::string compile_error;
  cel::ClauseCount count;  ///< the whole selector over all devices of the fleet
  std::vector<ClauseTally> clauses;
};

struct DeviceVerdict {
  std::uint32_t device = kNone;  ///< in the fleet
  std::string node;              ///< on which it was judged; empty: offered on none
  Rejection rejection;
};

/// One request, or one alternative of it.
struct RequestExplanation {
  RequestName name;
  std::string device_class;
  std::string fault;  ///< the request cannot be tried at all
  std::int64_t count = 0;
  bool wants_all = false;
  std::size_t usable = 0;
  std::vector<SelectorTally> selectors;
  std::vector<DeviceVerdict> devices;
};

/// A change after which the claim would be allocated; tried out, not guessed.
struct Change {
  std::string kind;  ///< guard-clause, threshold, count, capacity, toleration, free-claim, drop-clause,
                     ///< drop-constraint
  std::string what;  ///< one sentence
  std::string request;
  std::string value;  ///< the new expression, count, toleration, ...
  std::string node;   ///< where it would fit then
};

struct NodeAnswer {
  std::string node;
  Attempt::Outcome outcome;
  std::string message;
};

struct Explanation {
  std::string ns, claim;
  bool allocated = false;  ///< in its status; it is explained as if it were not
  Attempt::Outcome outcome = Attempt::Outcome::kNoFit;
  std::string message;  ///< what the scheduler says
  std::string node;     ///< where it fits
  std::vector<NodeAnswer> nodes;
  std::vector<RequestExplanation> requests;
  std::vector<Change> changes;  ///< smallest first
};

/// `claim` is `name` or `namespace/name` of a ResourceClaim, of a template, or of a pod with extended
/// resources that classes back. Nodes: those of the pods that name it, else all.
Result<Explanation> explain_claim(const ClusterObjects& objects, const Behaviour& behaviour,
                                  const std::string& claim);

/// The same on an allocator that is there already.
Explanation explain_claim(Allocator& allocator, const InUse& in_use, const ResourceClaim& claim,
                          const std::vector<const Node*>& nodes);

}  // namespace etiage::dra
