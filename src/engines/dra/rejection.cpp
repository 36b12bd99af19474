#include "engines/dra/rejection.h"

#include <algorithm>

#include "engines/dra/capacity.h"
#include "engines/dra/counter_shortage.h"
#include "engines/dra/taints.h"

namespace etiage::dra {
namespace {

using Code = Rejection::Code;

Rejection because(Code code, std::string reason) {
  Rejection r;
  r.code = code;
  r.reason = std::move(reason);
  return r;
}

/// The first selector that does not hold, down to the clause; usable where all hold.
Rejection judge_selectors(const Scene& scene, const std::vector<SelectorAnswers::Handle>& selectors,
                          Code code, const std::string& owner, std::uint32_t device) {
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const auto handle = selectors[i];
    const std::string where = owner + " selector " + std::to_string(i);
    if (!scene.answers.selector(handle).ok()) {
      Rejection r = because(Code::kSelectorError,
                            where + " does not compile: " + *scene.answers.selector(handle).compile_error);
      r.selector = i;
      return r;
    }
    const cel::Outcome outcome = scene.answers.ask(handle, device);
    if (outcome == cel::Outcome::kTrue) continue;
    Rejection r;
    r.selector = i;
    r.code = outcome == cel::Outcome::kError ? Code::kSelectorError : code;
    r.clause = scene.answers.first_clause(handle, device, outcome);
    if (r.clause) r.clause_text = scene.answers.selector(handle).clauses[*r.clause].text;
    const std::string what = r.clause ? "clause " + std::to_string(*r.clause) + " of " + where : where;
    if (outcome == cel::Outcome::kError) {
      r.reason = what + " fails: " +
                 cel::with_hint(scene.answers.verdict(handle, device).message, scene.behaviour.version);
    } else {
      r.reason =
          what + " is false: " + (r.clause ? r.clause_text : scene.answers.selector(handle).expression);
    }
    return r;
  }
  return {};
}

std::optional<Rejection> judge_gates(const Scene& scene, const Device& device) {
  if (!scene.behaviour.binding_conditions && !device.binding_conditions.empty())
    return because(Code::kGateOff, "has binding conditions, but DRADeviceBindingConditions is off");
  if (!scene.behaviour.gates.partitionable_devices && !device.consumes.empty())
    return because(Code::kGateOff, "consumes shared counters, but DRAPartitionableDevices is off");
  return std::nullopt;
}

std::optional<Rejection> judge_use(const Scene& scene, const AskPlan& ask, std::uint32_t identity) {
  if (ask.is_admin() || !scene.in_use.is_dedicated(identity)) return std::nullopt;
  Rejection r;
  r.code = Code::kInUse;
  const auto& holders = scene.in_use.holders(identity);
  r.claim = holders.empty() ? std::string() : holders.front();
  r.reason = "in use by claim " + r.claim;
  return r;
}

std::optional<Rejection> judge_capacity(const Scene& scene, const AskPlan& ask, const Device& device,
                                        std::uint32_t identity) {
  if (!scene.behaviour.gates.consumable_capacity) return std::nullopt;
  const CapacityCheck check =
      check_capacity(scene.behaviour, ask.ask->capacity, device, scene.in_use.consumed(identity), nullptr);
  using enum CapacityCheck::Outcome;
  switch (check.outcome) {
    case kFits:
      return std::nullopt;
    case kUndefined:
      return because(Code::kCapacity, "does not define capacity " + check.name + " under that very name");
    case kAgainstPolicy:
      return because(Code::kCapacity, "capacity " + check.name + ": the request policy does not allow " +
                                          check.needed.canonical());
    case kFault:
      return because(Code::kSelectorError, check.fault);
    case kShort:
      break;
  }
  Rejection r = because(Code::kCapacity, "capacity " + check.name + ": " + check.needed.canonical() +
                                             " needed, " + check.left.canonical() + " left");
  r.short_by = (check.needed - check.left).canonical();
  return r;
}

std::optional<Rejection> judge_taints(const Scene& scene, const AskPlan& ask, const Device& device) {
  const DeviceTaint* taint = blocking_taint(scene.behaviour, device, ask.ask->tolerations);
  if (!taint) return std::nullopt;
  Rejection r;
  r.code = Code::kTaint;
  r.taint = taint_text(*taint);
  r.reason = "taint " + r.taint + " is not tolerated" +
             (taint->rule.empty() ? "" : " (of DeviceTaintRule " + taint->rule + ")");
  return r;
}

bool has_newer(const Fleet& fleet, const FleetSlice& slice) {
  return std::ranges::any_of(fleet.pools()[slice.pool].slices, [&](std::uint32_t i) {
    return fleet.slices()[i].object->pool.generation > slice.object->pool.generation;
  });
}

}  // namespace

std::string_view to_string(Code code) {
  switch (code) {
    case Code::kUsable:
      return "usable";
    case Code::kWrongNode:
      return "wrong-node";
    case Code::kStaleGeneration:
      return "stale-generation";
    case Code::kObsoletePool:
      return "obsolete-pool";
    case Code::kIncompletePool:
      return "incomplete-pool";
    case Code::kInvalidPool:
      return "invalid-pool";
    case Code::kGateOff:
      return "gate-off";
    case Code::kInUse:
      return "in-use";
    case Code::kClassSelector:
      return "class-selector";
    case Code::kSelector:
      return "selector";
    case Code::kSelectorError:
      return "selector-error";
    case Code::kCapacity:
      return "capacity";
    case Code::kCounters:
      return "counters";
    case Code::kTaint:
      return "taint";
    case Code::kConstraint:
      return "constraint";
  }
  return "";
}

std::string taint_text(const DeviceTaint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

std::optional<Rejection> DeviceJudge::judge_counters(const Candidate& candidate, const Device& device) {
  if (device.consumes.empty()) return std::nullopt;
  const auto shortage = counter_shortage(scene_, candidate, counters_);
  if (!shortage) return std::nullopt;
  Rejection r = because(Code::kCounters,
                        "counter " + shortage->counter + " is short by " + shortage->missing.canonical());
  r.counter = shortage->counter;
  r.short_by = shortage->missing.canonical();
  return r;
}

Rejection DeviceJudge::judge(const ResourceClaim& claim, const AskPlan& ask, const Candidate& candidate) {
  const FleetDevice& d = scene_.fleet.devices()[candidate.device];
  const Device& device = *d.object;
  // Selectors first, although the allocator asks about use first: a device that is not wanted is not "in
  // use".
  Rejection r = judge_selectors(scene_, ask.class_selectors, Code::kClassSelector,
                                "class " + ask.device_class->meta.name, candidate.device);
  if (r.code == Code::kUsable)
    r = judge_selectors(scene_, ask.selectors, Code::kSelector, "claim " + name_of(claim), candidate.device);
  if (r.code != Code::kUsable) return r;
  if (entry_of(scene_.pools, candidate).reach != PoolDevice::Reach::kYes)
    return because(Code::kWrongNode, "is for other nodes");
  if (auto why = judge_gates(scene_, device)) return *why;
  if (auto why = judge_use(scene_, ask, d.identity)) return *why;
  if (auto why = judge_capacity(scene_, ask, device, d.identity)) return *why;
  if (auto why = judge_counters(candidate, device)) return *why;
  if (auto why = judge_taints(scene_, ask, device)) return *why;
  return {};
}

Rejection judge_unoffered(const Scene& scene, std::uint32_t device,
                          const std::vector<const NodePools*>& pools_of_nodes, std::string_view nodes) {
  const FleetSlice& slice = scene.fleet.slice_of(device);
  const std::string generation = std::to_string(slice.object->pool.generation);
  if (has_newer(scene.fleet, slice))
    return because(Code::kStaleGeneration,
                   "its slice is of generation " + generation + ", and the pool has a newer one");
  for (const NodePools* pools : pools_of_nodes)
    for (const Pool& pool : pools->pools) {
      if (pool.id != slice.pool) continue;
      if (pool.incomplete)
        return because(Code::kIncompletePool,
                       "its pool is incomplete: " + std::to_string(slice.object->pool.slice_count) +
                           " slices are announced");
      if (pool.invalid) return because(Code::kInvalidPool, "its pool is invalid: " + pool.reason);
    }
  if (!scene.behaviour.gates.partitionable_devices &&
      (slice.object->per_device_node_selection || !slice.object->shared_counters.empty()))
    return because(Code::kGateOff, "its slice needs DRAPartitionableDevices");
  if (!slice.object->shared_counters.empty() && scene.behaviour.counter_sets_apart)
    return because(Code::kInvalidPool,
                   "its slice lends counters, and devices beside sharedCounters are not seen");
  return because(Code::kWrongNode, "is not for " + std::string(nodes));
}

}  // namespace etiage::dra
