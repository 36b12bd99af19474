#pragma once
// What one attempt has to find: the requests of the claims, checked and with their selectors compiled.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engines/dra/constraints.h"
#include "engines/dra/in_use.h"
#include "engines/dra/pools.h"
#include "engines/dra/selectors.h"
#include "engines/dra/shortlist.h"

namespace etiage::dra {

using ClassMap = std::map<std::string, const DeviceClass*, std::less<>>;

/// A request, or one alternative of it.
struct AskPlan {
  const DeviceAsk* ask = nullptr;
  const DeviceClass* device_class = nullptr;
  RequestName name;
  std::vector<SelectorAnswers::Handle> class_selectors, selectors;
  std::int64_t count = 0;
  bool wants_all = false;
  std::vector<Candidate> all;      ///< with allocationMode All
  Shortlist* shortlist = nullptr;  ///< else

  bool is_admin() const { return ask->admin_access.value_or(false); }
};

struct RequestPlan {
  std::vector<AskPlan> alternatives;  ///< one where the request is `exactly`
  bool is_list = false;               ///< firstAvailable
};

struct ClaimPlan {
  const ResourceClaim* claim = nullptr;
  std::vector<RequestPlan> requests;
};

/// All that an attempt reads; nothing in it changes but what is remembered of selectors.
struct Scene {
  const Fleet& fleet;
  const NodePools& pools;
  const Behaviour& behaviour;
  const ClassMap& classes;
  const InUse& in_use;
  SelectorAnswers& answers;
  Shortlists& shortlists;
};

/// `namespace/name`, as messages have it.
std::string name_of(const ResourceClaim& claim);

/// Does the device satisfy class and request? A fault aborts the attempt.
Result<bool> is_selectable(const Scene& scene, const ResourceClaim& claim, const AskPlan& plan,
                           const Candidate& candidate);

/// The same without words: nothing where it is a fault.
std::optional<bool> passes(const Scene& scene, const AskPlan& plan, const Candidate& candidate);

/// Checks the requests in order; the first fault aborts the attempt. Resolves All.
Result<std::vector<ClaimPlan>> plan_claims(const Scene& scene,
                                           const std::vector<const ResourceClaim*>& claims);

}  // namespace etiage::dra
