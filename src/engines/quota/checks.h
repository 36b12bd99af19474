#pragma once
// Which admission checks a workload must pass.

#include "engines/quota/state.h"

namespace etiage::quota {

/// Whether the workload must pass the check of its ClusterQueue. `grant`: null as long as no flavors are
/// assigned; then only those count that no choice of flavors avoids. Up to 0.17 one check that is only of
/// some flavors keeps all the others away until then too.
bool applies(const QueueCheck& check, const QueueState& queue, const Grant* grant, const Release& release);

/// All that it must pass are known and all that are known are Ready.
bool all_checks_ready(const WorkloadState& w, const QueueState& queue, const Grant& grant,
                      const Release& release);

}  // namespace etiage::quota
