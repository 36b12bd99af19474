#pragma once
// Why one device cannot serve one request on one node: the first reason in the order in which the allocator
// looks.

#include <optional>
#include <string>
#include <string_view>

#include "engines/dra/counters.h"
#include "engines/dra/plan.h"

namespace etiage::dra {

struct Rejection {
  enum class Code : std::uint8_t {
    kUsable,
    kWrongNode,
    kStaleGeneration,  ///< a newer generation of the pool exists
    kObsoletePool,     ///< the newer generation has nothing for this node
    kIncompletePool,
    kInvalidPool,
    kGateOff,  ///< the device needs a feature that is off
    kInUse,
    kClassSelector,
    kSelector,
    kSelectorError,  ///< aborts the whole attempt
    kCapacity,
    kCounters,
    kTaint,
    kConstraint,
  };
  Code code = Code::kUsable;
  std::string reason;  ///< one sentence without a full stop
  // Where it lies, as far as it applies.
  std::optional<std::size_t> selector, clause;
  std::string clause_text;
  std::string claim;     ///< that holds the device
  std::string counter;   ///< `set/counter` that is short
  std::string short_by;  ///< how much of the counter or capacity is missing
  std::string taint;     ///< `key=value:effect`
  std::string against;   ///< the device that a constraint compares with

  bool operator==(const Rejection&) const = default;
};

/// `in-use`, `selector`, ...: stable words for programs.
std::string_view to_string(Rejection::Code code);

/// Judges the devices that the pools of one node offer. Keeps what is left of counters, so it is made once a
/// node.
class DeviceJudge {
 public:
  explicit DeviceJudge(const Scene& scene)
      : scene_(scene), counters_(scene.fleet, scene.pools, scene.behaviour, scene.in_use) {}

  /// Constraints are left out: they depend on what else is taken.
  Rejection judge(const ResourceClaim& claim, const AskPlan& ask, const Candidate& candidate);

 private:
  std::optional<Rejection> judge_counters(const Candidate& candidate, const Device& device);

  const Scene& scene_;
  CounterTables counters_;
};

/// A device that no pool of any of the nodes offers: why not.
Rejection judge_unoffered(const Scene& scene, std::uint32_t device,
                          const std::vector<const NodePools*>& pools_of_nodes, std::string_view nodes);

std::string taint_text(const DeviceTaint& taint);

}  // namespace etiage::dra
