#include "engines/dra/constraint_report.h"

#include <map>

#include "engines/dra/constraints.h"

namespace etiage::dra {
namespace {

/// The constraint as it stands with the first device of one node in it.
struct OnNode {
  ConstraintState state;
  std::string first;
};

class ConstraintReport {
 public:
  ConstraintReport(const Allocator& allocator, const DeviceConstraint& constraint, std::size_t index)
      : allocator_(allocator), constraint_(constraint), index_(index) {}

  void report(RequestExplanation& request) {
    if (!affects(constraint_, request.name)) return;
    for (DeviceVerdict& verdict : request.devices)
      if (verdict.rejection.code == Rejection::Code::kUsable) report(request, verdict);
  }

 private:
  void report(RequestExplanation& request, DeviceVerdict& verdict) {
    const Fleet& fleet = allocator_.fleet();
    const Device& device = *fleet.devices()[verdict.device].object;
    const std::string& driver = fleet.slice_of(verdict.device).object->driver;
    if (!find_attribute(device, driver, constraint_.attribute)) {
      reject(request, verdict, {}, "the device has no attribute " + constraint_.attribute);
      return;
    }
    auto [entry, fresh] =
        nodes_.try_emplace(verdict.node, OnNode{ConstraintState(constraint_, allocator_.behaviour()), {}});
    OnNode& node = entry->second;
    if (fresh) node.first = fleet.name_of(verdict.device);
    if (node.state.add(request.name, device, driver)) return;
    const bool match = constraint_.kind == DeviceConstraint::Kind::kMatchAttribute;
    reject(request, verdict, node.first,
           std::string(match ? "differs" : "does not differ") + " in " + constraint_.attribute + " from " +
               node.first);
  }

  void reject(RequestExplanation& request, DeviceVerdict& verdict, std::string against,
              const std::string& why) const {
    verdict.rejection.code = Rejection::Code::kConstraint;
    verdict.rejection.against = std::move(against);
    verdict.rejection.reason = "constraint " + std::to_string(index_) + ": " + why;
    --request.usable;
  }

  const Allocator& allocator_;
  const DeviceConstraint& constraint_;
  std::size_t index_;
  std::map<std::string, OnNode> nodes_;
};

}  // namespace

void report_constraints(const Allocator& allocator, const ResourceClaim& claim,
                        std::vector<RequestExplanation>& requests) {
  for (std::size_t i = 0; i < claim.spec.constraints.size(); ++i) {
    ConstraintReport report(allocator, claim.spec.constraints[i], i);
    for (RequestExplanation& request : requests) report.report(request);
  }
}

}  // namespace etiage::dra
