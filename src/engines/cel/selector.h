#pragma once
// Engines, cel: the Common Expression Language as Kubernetes runs it for device selectors: what compiles,
// what it costs, what it yields on a device, word for word, release by release. This header: the door for
// other rooms. Compile a selector once, prepare each device once, then evaluate.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/dra.h"
#include "model/kubernetes_version.h"

namespace etiage::cel {

/// The cost above which the API server refuses a selector and an evaluation is cut off.
inline constexpr std::uint64_t kCostLimit = 1'000'000;

/// What decides which names exist: the release, its gates, and whether the object is stored already or just
/// being written.
struct Environment {
  KubernetesVersion version = {};
  bool consumable_capacity = true;    ///< gate DRAConsumableCapacity: `device.allowMultipleAllocations`
  bool list_type_attributes = false;  ///< gate DRAListTypeAttributes: lists, `includes`
  bool stored = true;  ///< false: an object new to the API server, whose environment lags a release behind

  bool operator==(const Environment&) const = default;
};

/// The gates as the release sets them.
Environment default_environment(KubernetesVersion version, bool stored = true);

class Program;

/// A part of the selector that must hold by itself: the operands of the outermost `&&`, in the order of the
/// text.
struct Clause {
  std::string text;
  std::size_t begin = 0;  ///< byte range in the expression
  std::size_t end = 0;
};

/// A compiled expression. Immutable and shared by copies; may be evaluated from many threads.
struct Selector {
  std::string expression;
  std::optional<std::string> compile_error;  ///< as Kubernetes words it; nothing else is set then
  std::string type;                          ///< of the result, as in `bool` or `dyn`
  std::uint64_t max_cost = 0;  ///< the estimate for the worst device; saturates at the largest uint64
  bool too_costly = false;     ///< max_cost > kCostLimit: the API server refuses it in new objects
  std::vector<Clause> clauses;
  std::shared_ptr<const Program> program;
  std::vector<std::shared_ptr<const Program>> clause_programs;  ///< one a clause

  bool ok() const { return !compile_error; }
};

Selector compile_selector(std::string_view expression, const Environment& environment);

class DeviceRecord;

/// A device as selectors see it: attributes and capacities by domain and name. Cheap to copy.
struct PreparedDevice {
  std::shared_ptr<const DeviceRecord> record;
};

/// `driver` is the domain of names without one. A device that Kubernetes cannot hand to CEL (a bad version,
/// an unknown kind of attribute) is prepared too: every evaluation then yields the error.
PreparedDevice prepare_device(std::string_view driver, const Device& device, const Environment& environment);

class DeviceVocabulary;

/// Prepares the devices of a fleet. They share equal names and values, so that many lie close together in
/// memory; they and this belong to one thread.
class FleetPreparation {
 public:
  explicit FleetPreparation(const Environment& environment);
  PreparedDevice prepare(std::string_view driver, const Device& device) const;

 private:
  bool lists_;
  std::shared_ptr<DeviceVocabulary> vocabulary_;
};

enum class Outcome : std::uint8_t { kFalse, kTrue, kError };

struct Verdict {
  Outcome outcome = Outcome::kFalse;
  std::string message;                ///< of the error, without the hint that the scheduler of 1.37 adds
  std::optional<std::uint64_t> cost;  ///< absent where the device could not be handed to CEL

  bool operator==(const Verdict&) const = default;
};

/// `selector.ok()` must hold.
Verdict evaluate(const Selector& selector, const PreparedDevice& device);
/// Only the outcome; nothing is allocated unless it is an error.
Outcome matches(const Selector& selector, const PreparedDevice& device);
/// Each clause by itself, also those after a false one.
std::vector<Verdict> evaluate_clauses(const Selector& selector, const PreparedDevice& device);

/// How a clause fares over many devices, each clause by itself.
struct ClauseCount {
  std::size_t matched = 0;
  std::size_t failed = 0;
  std::size_t errors = 0;

  bool operator==(const ClauseCount&) const = default;
};

struct FleetMatch {
  std::vector<Outcome> outcomes;     ///< of the whole selector, one a device
  std::vector<ClauseCount> clauses;  ///< one a clause

  bool operator==(const FleetMatch&) const = default;
};

/// A selector over many devices, clause by clause and column by column.
FleetMatch match_fleet(const Selector& selector, std::span<const PreparedDevice> devices);

/// The words that the scheduler of 1.37 adds to "no such key" errors; earlier releases add none.
std::string with_hint(std::string message, KubernetesVersion version);

}  // namespace etiage::cel
