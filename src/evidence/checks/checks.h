#pragma once
// What the evidence cannot carry, said in the report with its effect and a way to mend it. Each group of
// checks is a file; add_checks (checks.cpp) has the table. Private to this room.

#include <string>
#include <vector>

#include "evidence/draft.h"

namespace etiage::evidence {

// The window and the gaps in it.
void check_window(Draft& draft);
void check_stamps(Draft& draft);
void check_gaps(Draft& draft);
void check_silence(Draft& draft);
void check_scrape_interval(Draft& draft);
void check_unmeasured(Draft& draft);

// What devices are measured by.
void check_signals(Draft& draft);
void check_mixed_signals(Draft& draft);
void check_mig_signals(Draft& draft);
void check_odd_values(Draft& draft);
void check_accelerators(Draft& draft);

// Whom device rows name.
void check_exported_labels(Draft& draft);
void check_pod_labels(Draft& draft);
void check_busy_without_holder(Draft& draft);
void check_scraped_twice(Draft& draft);
void check_both_levels(Draft& draft);
void check_host_label(Draft& draft);

// Shared devices and claims.
void check_overfull(Draft& draft);  ///< and scales shares above a whole card down to it
void check_sharers(Draft& draft);
void check_copies(Draft& draft);
void check_claims(Draft& draft);

// What Kubernetes itself tells.
void check_readiness(Draft& draft);
void check_kube_state(Draft& draft);
void check_amounts(Draft& draft);
void check_usage(Draft& draft);
void check_replicas(Draft& draft);
void check_node_labels(Draft& draft);
void check_cluster_labels(Draft& draft);

// Tokens.
void check_tokens_missing(Draft& draft);
void check_resets(Draft& draft);
void check_disaggregated(Draft& draft);
void check_sampling(Draft& draft);
void check_prefix_cache(Draft& draft);
void check_renamed(Draft& draft);
void check_counted_at_finish(Draft& draft);

std::string name_of(const PodLife& pod);
/// Of which holdings there is work.
std::vector<bool> measured_holdings(const Draft& draft);
/// Sorted, each once.
std::vector<std::string> unique(std::vector<std::string> names);

}  // namespace etiage::evidence
