#pragma once
// Lint: what in manifests will not do what their author meant. A list of rule sets over objects that are
// parsed already.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "engines/dra/scheduling.h"
#include "engines/placement/amounts.h"
#include "model/queue_config.h"
#include "model/scheduling.h"

namespace etiage::explain {

/// An object of a kind that has no values of its own here.
struct LintObject {
  Tree tree;
  std::string file;
};

/// Pods that start together or not at all.
struct LintGang {
  std::string name;  ///< with its kind, for messages
  Place place;
  std::int32_t min_member = 1;
  placement::Amounts pod;  ///< what each of them asks for
  std::string queue;
  std::optional<placement::Amounts> queue_limit;  ///< what is not named has none
};

/// All that rule sets look at. A set that needs more objects adds a field, which `app` fills.
struct LintInput {
  dra::ClusterObjects cluster;
  dra::Behaviour behaviour;
  /// Where a KubeSchedulerConfiguration asks for MostAllocated scoring.
  std::vector<Place> most_allocated;
  QueueObjects queues;
  std::vector<std::pair<SchedulerConfiguration, Place>> scheduler_configurations = {};
  std::vector<PriorityClass> priority_classes = {};
  std::vector<LintObject> volcano_configurations = {}, volcano_queues = {}, kai_queues = {};
  std::vector<LintGang> gangs = {};
  std::vector<placement::Amounts> node_amounts = {};  ///< allocatable, by node
};

/// Adds its remarks; never stops at the first.
using RuleSet = std::function<void(const LintInput&, Diagnostics&)>;

/// In the order in which they run.
std::vector<RuleSet> rule_sets();

/// The remarks of all sets, by file and line, each once.
Diagnostics lint(const LintInput& input);

}  // namespace etiage::explain
