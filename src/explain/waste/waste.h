#pragma once
// Explain: findings from a ledger, a cluster or manifests, each with its evidence and a ready fix. This
// header: where the money leaks.

#include <span>
#include <string_view>
#include <vector>

#include "explain/waste/bill.h"

namespace etiage::explain {

struct Waste {
  Money bill, bill_per_week;
  Money per_week;                 ///< of all findings
  std::vector<Finding> findings;  ///< dearest first
};

/// The kinds of findings in the order in which they claim money: what stands earlier explains it better.
std::vector<std::string_view> waste_kinds();

/// Invariants: no leaf of the ledger is claimed for more than it is, so that the findings' sum never passes
/// the bill; without a window there are none.
Waste find_waste(const Evidence& evidence, const ledger::Ledger& ledger,
                 std::span<const ClusterAutoscaler> autoscalers);

}  // namespace etiage::explain
