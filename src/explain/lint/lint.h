#pragma once
// Lint: what in manifests will not do what their author meant. A list of rule sets over objects that are
// parsed already.

#include <functional>
#include <vector>

#include "base/diagnostic.h"
#include "engines/dra/scheduling.h"
#include "model/queue_config.h"

namespace etiage::explain {

/// All that rule sets look at. A set that needs more objects adds a field, which `app` fills.
struct LintInput {
  dra::ClusterObjects cluster;
  dra::Behaviour behaviour;
  /// Where a KubeSchedulerConfiguration asks for MostAllocated scoring.
  std::vector<Place> most_allocated;
  QueueObjects queues;
};

/// Adds its remarks; never stops at the first.
using RuleSet = std::function<void(const LintInput&, Diagnostics&)>;

/// In the order in which they run.
std::vector<RuleSet> rule_sets();

/// The remarks of all sets, by file and line, each once.
Diagnostics lint(const LintInput& input);

}  // namespace etiage::explain
