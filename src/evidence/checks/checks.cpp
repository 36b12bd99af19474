// The table of checks, in the order in which they are told.

#include "evidence/checks/checks.h"

#include <array>

namespace etiage::evidence {

void add_checks(Draft& draft) {
  using CheckStep = void (*)(Draft&);
  constexpr std::array kChecks = std::to_array<CheckStep>({check_window,
                                                           check_overfull,
                                                           check_stamps,
                                                           check_gaps,
                                                           check_silence,
                                                           check_scrape_interval,
                                                           check_signals,
                                                           check_mixed_signals,
                                                           check_mig_signals,
                                                           check_unmeasured,
                                                           check_accelerators,
                                                           check_pod_labels,
                                                           check_busy_without_holder,
                                                           check_sharers,
                                                           check_claims,
                                                           check_tokens_missing,
                                                           check_resets,
                                                           check_disaggregated,
                                                           check_sampling,
                                                           check_prefix_cache,
                                                           check_renamed,
                                                           check_counted_at_finish,
                                                           check_readiness,
                                                           check_kube_state,
                                                           check_amounts,
                                                           check_usage,
                                                           check_odd_values,
                                                           check_exported_labels,
                                                           check_scraped_twice,
                                                           check_both_levels,
                                                           check_replicas,
                                                           check_node_labels,
                                                           check_cluster_labels,
                                                           check_host_label,
                                                           check_copies});
  for (CheckStep step : kChecks) step(draft);
}

}  // namespace etiage::evidence
