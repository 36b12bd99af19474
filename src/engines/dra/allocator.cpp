#include "engines/dra/allocator.h"

#include <algorithm>

#include "engines/dra/node_restriction.h"
#include "engines/dra/taints.h"

namespace etiage::dra {
namespace {

ClassMap map_of(const std::vector<DeviceClass>& classes) {
  ClassMap out;
  for (const DeviceClass& c : classes) out.insert_or_assign(c.meta.name, &c);
  return out;
}

bool has_invalid_pool(const NodePools& pools) {
  return std::ranges::any_of(pools.pools, [](const Pool& pool) { return pool.invalid; });
}

/// Not a UUID: the same input gives the same id.
std::string share_id(const ResourceClaim& claim, std::size_t index) {
  return name_of(claim) + "/" + std::to_string(index);
}

}  // namespace

Allocator::Allocator(const Behaviour& behaviour, std::vector<ResourceSlice> slices,
                     const std::vector<DeviceTaintRule>& rules, std::vector<DeviceClass> classes,
                     Ordering ordering)
    : behaviour_(behaviour),
      ordering_(ordering),
      slices_(with_taint_rules(std::move(slices), rules, behaviour)),
      classes_(std::move(classes)),
      class_map_(map_of(classes_)),
      fleet_(std::make_unique<const Fleet>(slices_)),
      answers_(*fleet_, cel_environment(behaviour_)) {}

const NodePools& Allocator::pools_on(const NodeIdentity& node) {
  const auto [entry, fresh] = pools_.try_emplace(std::string(node.name));
  if (fresh) entry->second = gather_pools(*fleet_, behaviour_, node, ordering_);
  return entry->second;
}

Attempt Allocator::allocate(const NodeIdentity& node, const std::vector<const ResourceClaim*>& claims,
                            const InUse& in_use) {
  const NodePools& pools = pools_on(node);
  if (pools.fault) return {Attempt::Outcome::kFault, *pools.fault, {}, 0};
  const Scene scene{*fleet_, pools, behaviour_, class_map_, in_use, answers_, shortlists_};
  const auto plans = plan_claims(scene, claims);
  if (!plans) return {Attempt::Outcome::kFault, plans.error().message, {}, 0};
  SearchResult found = search_devices(scene, *plans);
  Attempt out{Attempt::Outcome::kNoFit, {}, {}, found.steps};
  if (found.outcome == SearchResult::Outcome::kFault) {
    out.outcome = Attempt::Outcome::kFault;
    out.message = std::move(found.fault);
  } else if (found.outcome == SearchResult::Outcome::kFound) {
    out.outcome = Attempt::Outcome::kAllocated;
    for (std::size_t i = 0; i < claims.size(); ++i) {
      auto allocation = assemble(found.taken[i], *claims[i], node);
      if (!allocation)
        return {Attempt::Outcome::kFault, std::move(allocation.error().message), {}, found.steps};
      out.allocations.push_back(std::move(*allocation));
    }
  } else if (behaviour_.skips_bad_pools && has_invalid_pool(pools)) {
    out.outcome = Attempt::Outcome::kUnfitNode;
    out.message = "invalid resource pools were encountered";
  }
  return out;
}

Result<Allocation> Allocator::assemble(const std::vector<TakenDevice>& taken, const ResourceClaim& claim,
                                       const NodeIdentity& node) const {
  Allocation out;
  NodeRestriction restriction(behaviour_, node);
  for (const TakenDevice& t : taken) {
    const FleetSlice& slice = fleet_->slice_of(t.candidate.device);
    const Device& device = *fleet_->devices()[t.candidate.device].object;
    AllocatedDevice& result = out.devices.emplace_back();
    result.request = t.ask->name.full();
    result.driver = slice.object->driver;
    result.pool = slice.object->pool.name;
    result.device = device.name;
    result.admin_access = t.ask->is_admin();
    if (t.is_share) result.share_id = share_id(claim, out.devices.size() - 1);
    result.consumed = t.consumed;
    result.has_consumed = !t.consumed.empty();
    if (behaviour_.binding_conditions) {
      result.binding_conditions = device.binding_conditions;
      result.binding_failure_conditions = device.binding_failure_conditions;
    }
    result.tolerations = t.ask->ask->tolerations;
    restriction.add(*slice.object, device);
  }
  auto selector = restriction.selector();
  if (!selector)
    return failure("create NodeSelector for claim " + claim.meta.name + ": " + selector.error().message);
  out.node_selector = std::move(*selector);
  return out;
}

}  // namespace etiage::dra
