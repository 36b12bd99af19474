#include "engines/dra/plan.h"

#include <algorithm>
#include <limits>

#include "engines/dra/capacity.h"

namespace etiage::dra {
namespace {

constexpr std::int64_t kMaxResults = 32;

std::string request_label(const ResourceClaim& claim, const RequestName& name) {
  return "claim " + name_of(claim) + ", request " + name.name;
}

/// One selector on one device; `owner` is `class X` or `claim N/X`.
Result<bool> holds(const Scene& scene, SelectorAnswers::Handle selector, std::size_t index,
                   const std::string& owner, std::uint32_t device) {
  const auto& compiled = scene.answers.selector(selector);
  const std::string where = owner + ": selector #" + std::to_string(index);
  if (!compiled.ok()) return failure(where + ": CEL compile error: " + *compiled.compile_error);
  const cel::Outcome outcome = scene.answers.ask(selector, device);
  if (outcome != cel::Outcome::kError) return outcome == cel::Outcome::kTrue;
  const std::string message =
      cel::with_hint(scene.answers.verdict(selector, device).message, scene.behaviour.version);
  const bool names_device = scene.behaviour.version.minor >= 37;
  return failure(where + (names_device ? " on device " + scene.fleet.name_of(device) : "") +
                 ": CEL runtime error: " + message);
}

/// Without building any text: true, false, or nothing where `holds` has to tell.
std::optional<bool> quick_answer(const Scene& scene, const std::vector<SelectorAnswers::Handle>& selectors,
                                 std::uint32_t device) {
  for (const auto selector : selectors) {
    if (!scene.answers.selector(selector).ok()) return std::nullopt;
    const cel::Outcome outcome = scene.answers.ask(selector, device);
    if (outcome == cel::Outcome::kError) return std::nullopt;
    if (outcome == cel::Outcome::kFalse) return false;
  }
  return true;
}

Result<bool> all_hold(const Scene& scene, const std::vector<SelectorAnswers::Handle>& selectors,
                      const std::string& owner, std::uint32_t device) {
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const auto one = holds(scene, selectors[i], i, owner, device);
    if (!one || !*one) return one;
  }
  return true;
}

/// Fills in the plans of all claims.
class Planner {
 public:
  explicit Planner(const Scene& scene) : scene_(scene), b_(scene.behaviour) {}

  Result<ClaimPlan> plan(const ResourceClaim& claim) {
    ClaimPlan out{&claim, {}};
    std::int64_t least = 0;
    for (const DeviceRequest& request : claim.spec.requests) {
      if (auto fault = gate_fault(claim, request)) return failure(*fault);
      RequestPlan planned;
      planned.is_list = !request.first_available.empty();
      if (auto fault = plan_request(claim, request, planned)) return failure(*fault);
      std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
      for (const AskPlan& ask : planned.alternatives) fewest = std::min(fewest, ask.count);
      if (b_.limit_per_request && fewest > kMaxResults - least)
        return failure("claim " + name_of(claim) + ", request " + request.name + ": adding " +
                       std::to_string(fewest) + " devices exceeds the claim limit of 32, with " +
                       std::to_string(least) + " already accounted for");
      least = fewest > std::numeric_limits<std::int64_t>::max() - least
                  ? std::numeric_limits<std::int64_t>::max()
                  : least + fewest;
      out.requests.push_back(std::move(planned));
    }
    if (least > kMaxResults)
      return failure("claim " + name_of(claim) + ": number of requested devices " + std::to_string(least) +
                     " exceeds the claim limit of 32");
    for (std::size_t i = 0; i < claim.spec.constraints.size(); ++i)
      if (!knows(claim.spec.constraints[i]))
        return failure("claim " + name_of(claim) + ", constraint #" + std::to_string(i) +
                       ": empty constraint (unsupported constraint type?)");
    return out;
  }

 private:
  bool knows(const DeviceConstraint& constraint) const {
    using enum DeviceConstraint::Kind;
    return constraint.kind == kMatchAttribute ||
           (constraint.kind == kDistinctAttribute && b_.knows_distinct_attribute);
  }

  std::optional<std::string> gate_fault(const ResourceClaim& claim, const DeviceRequest& request) const {
    const auto where = [&] { return "claim " + name_of(claim); };
    if (!request.first_available.empty() && !b_.gates.prioritized_list)
      return where() + ", request " + request.name +
             ": has subrequests, but the DRAPrioritizedList feature is disabled";
    if (!b_.checks_capacity_gate || b_.gates.consumable_capacity) return std::nullopt;
    if (request.exactly && request.exactly->capacity)
      return where() + ", request " + request.name +
             ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
    for (const DeviceSubRequest& sub : request.first_available)
      if (sub.ask.capacity)
        return where() + ", subrequest " + sub.name +
               ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
    return std::nullopt;
  }

  std::optional<std::string> plan_request(const ResourceClaim& claim, const DeviceRequest& request,
                                          RequestPlan& out) {
    if (!out.is_list && !request.exactly)
      return "claim " + name_of(claim) + ", request " + request.name + ": unknown request type";
    const std::size_t count = out.is_list ? request.first_available.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      AskPlan& plan = out.alternatives.emplace_back();
      plan.ask = out.is_list ? &request.first_available[i].ask : &*request.exactly;
      plan.name = out.is_list ? RequestName{request.first_available[i].name, request.name}
                              : RequestName{request.name, {}};
      const bool reuses = b_.all_reuses_first_subrequest && i == 1 && out.alternatives[0].wants_all;
      if (auto fault = plan_ask(claim, plan, reuses ? &out.alternatives[0] : nullptr)) return fault;
    }
    return std::nullopt;
  }

  /// `stand_in`: the alternative whose selectors answer in place of this one's.
  std::optional<std::string> plan_ask(const ResourceClaim& claim, AskPlan& plan, const AskPlan* stand_in) {
    const auto where = [&] { return request_label(claim, plan.name); };
    if (plan.ask->derived_attributes && b_.version.minor >= 37)
      return where() + ": cannot handle request with derived attributes, the feature is disabled";
    for (std::size_t i = 0; i < plan.ask->selectors.size(); ++i)
      if (!plan.ask->selectors[i].cel)
        return where() + ", selector #" + std::to_string(i) +
               ": CEL expression empty (unsupported selector type?)";
    if (plan.ask->admin_access && !b_.gates.admin_access)
      return where() + ": admin access is requested, but the feature is disabled";
    if (plan.ask->device_class.empty())
      return where() + ": missing device class name (unsupported request type?)";
    const auto found = scene_.classes.find(plan.ask->device_class);
    if (found == scene_.classes.end())
      return where() + ": could not retrieve device class " + plan.ask->device_class +
             ": deviceclass.resource.k8s.io \"" + plan.ask->device_class + "\" not found";
    plan.device_class = found->second;
    for (const DeviceSelector& s : plan.device_class->selectors)
      plan.class_selectors.push_back(scene_.answers.compile(s.cel.value_or("")));
    for (const DeviceSelector& s : plan.ask->selectors)
      plan.selectors.push_back(scene_.answers.compile(*s.cel));
    plan.wants_all = plan.ask->allocation_mode == "All";
    plan.shortlist = &scene_.shortlists.of(scene_.pools, plan.class_selectors, plan.selectors);
    if (plan.wants_all) return resolve_all(claim, plan, stand_in ? *stand_in : plan);
    if (plan.ask->allocation_mode != "ExactCount")
      return where() + ": unsupported count mode " + plan.ask->allocation_mode;
    plan.count = plan.ask->count;
    return std::nullopt;
  }

  std::optional<std::string> resolve_all(const ResourceClaim& claim, AskPlan& plan,
                                         const AskPlan& selecting) {
    const auto where = [&] { return request_label(claim, plan.name); };
    for (std::uint32_t p = 0; p < scene_.pools.pools.size(); ++p) {
      const Pool& pool = scene_.pools.pools[p];
      const FleetPool& id = scene_.fleet.pools()[pool.id];
      if (pool.incomplete || pool.invalid)
        return where() + ": asks for all devices, but resource pool " + id.driver + "/" + id.name +
               " is currently " + (pool.incomplete ? "being updated" : "invalid");
      for (std::uint32_t i = 0; i < pool.devices.size(); ++i) {
        const PoolDevice& entry = pool.devices[i];
        const Candidate candidate{p, entry.device, i};
        const auto selectable = is_selectable(scene_, claim, selecting, candidate);
        if (!selectable) return selectable.error().message;
        if (!*selectable) continue;
        if (const CapacityCheck check = capacity_of(plan, entry.device); !check.fits()) {
          if (!check.fault.empty())
            return where() + ": checking capacity for device " + device(entry.device).name + ": " +
                   check.fault;
          continue;
        }
        plan.all.push_back(candidate);
      }
    }
    plan.count = static_cast<std::int64_t>(plan.all.size());
    return std::nullopt;
  }

  const Device& device(std::uint32_t index) const { return *scene_.fleet.devices()[index].object; }

  CapacityCheck capacity_of(const AskPlan& plan, std::uint32_t index) const {
    if (!b_.gates.consumable_capacity) return {};
    const CapacityMap* used =
        b_.all_by_static_capacity ? nullptr : scene_.in_use.consumed(scene_.fleet.devices()[index].identity);
    return check_capacity(b_, plan.ask->capacity, device(index), used, nullptr);
  }

  const Scene& scene_;
  const Behaviour& b_;
};

}  // namespace

std::string name_of(const ResourceClaim& claim) {
  return claim.meta.ns + "/" + claim.meta.name;
}

std::optional<bool> passes(const Scene& scene, const AskPlan& plan, const Candidate& candidate) {
  const Device& device = *scene.fleet.devices()[candidate.device].object;
  if (!scene.behaviour.binding_conditions && !device.binding_conditions.empty()) return false;
  auto answer = quick_answer(scene, plan.class_selectors, candidate.device);
  if (answer == true) answer = quick_answer(scene, plan.selectors, candidate.device);
  if (answer != true) return answer;
  const PoolDevice::Reach reach = entry_of(scene.pools, candidate).reach;
  return reach == PoolDevice::Reach::kFault ? std::nullopt : std::optional(reach == PoolDevice::Reach::kYes);
}

Result<bool> is_selectable(const Scene& scene, const ResourceClaim& claim, const AskPlan& plan,
                           const Candidate& candidate) {
  if (const auto quick = passes(scene, plan, candidate)) return *quick;
  auto slow =
      all_hold(scene, plan.class_selectors, "class " + plan.device_class->meta.name, candidate.device);
  if (slow && *slow) slow = all_hold(scene, plan.selectors, "claim " + name_of(claim), candidate.device);
  if (!slow || !*slow) return slow;
  return failure("failed to parse node selector of device " +
                 scene.fleet.devices()[candidate.device].object->name);
}

Result<std::vector<ClaimPlan>> plan_claims(const Scene& scene,
                                           const std::vector<const ResourceClaim*>& claims) {
  Planner planner(scene);
  std::vector<ClaimPlan> out;
  for (const ResourceClaim* claim : claims) {
    auto plan = planner.plan(*claim);
    if (!plan) return std::unexpected(std::move(plan.error()));
    out.push_back(std::move(*plan));
  }
  return out;
}

}  // namespace etiage::dra
