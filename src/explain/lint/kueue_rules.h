#pragma once
// Rules over Kueue's objects: what Kueue's API refuses, and what it takes but does not do as its author
// meant.

#include "explain/lint/lint.h"

namespace etiage::explain {

void lint_kueue(const LintInput& input, Diagnostics& out);

/// What the API server and Kueue's webhooks would refuse of one object, in their words; empty: nothing.
Diagnostics refusals(const ClusterQueue& queue);
Diagnostics refusals(const Cohort& cohort);
Diagnostics refusals(const ResourceFlavor& flavor);
Diagnostics refusals(const Topology& topology);
Diagnostics refusals(const Workload& workload);
Diagnostics refusals(const LocalQueue& queue);

/// Why ClusterQueues will not be active.
void lint_activity(const QueueObjects& objects, Diagnostics& out);

/// resourceGroups in which every flavor names every covered resource: what the flavors do not name goes into
/// a group of its own. One line of YAML.
std::string right_resource_groups(const ClusterQueue& queue);

}  // namespace etiage::explain
