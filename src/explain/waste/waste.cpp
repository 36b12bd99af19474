#include "explain/waste/waste.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "explain/waste/seekers.h"

namespace etiage::explain {
namespace {

__extension__ using Wide = __int128;

struct Seeker {
  std::string_view kind;
  Findings (*find)(const Search&);
};

// A cause before its symptom: a pod that does nothing is a zombie before its slice is too large, and an
// autoscaler that gives nothing back explains idle replicas better than that they are idle.
constexpr std::array kSeekers{
    Seeker{"zombie-pod", zombie_pods},
    Seeker{"oversized-slice", oversized_slices},
    Seeker{"oversized-card", oversized_cards},
    Seeker{"wrong-metric", wrong_metrics},
    Seeker{"idle-held", idle_held},
    Seeker{"pinned-node", pinned_nodes},
    Seeker{"gpu-node-open", open_nodes},
    Seeker{"unallocated-node", unallocated_nodes},
    Seeker{"stranded-mig", stranded_mig},
    Seeker{"stranded-gpu", stranded_gpus},
    Seeker{"unallocated-gpu", unallocated_gpus},
};

/// Rounded down, so that the sum of parts stays below the whole.
Money per_week(Money amount, Duration window) {
  if (window.ns <= 0) return {};
  return {static_cast<std::int64_t>(static_cast<Wide>(amount.micro) * Duration::hours(168).ns / window.ns)};
}

}  // namespace

std::string_view to_string(Confidence confidence) {
  constexpr std::array<std::string_view, 3> names{"high", "medium", "low"};
  return names[static_cast<std::size_t>(confidence)];
}

std::vector<std::string_view> waste_kinds() {
  std::vector<std::string_view> out;
  for (const Seeker& s : kSeekers) out.push_back(s.kind);
  return out;
}

Waste find_waste(const Evidence& evidence, const ledger::Ledger& ledger,
                 std::span<const ClusterAutoscaler> autoscalers) {
  const Duration window = evidence.window.length();
  Waste out{ledger.bill, per_week(ledger.bill, window), {}, {}};
  if (ledger.bill.micro == 0) return out;
  Bill bill(evidence, ledger, autoscalers);
  const auto activity = activities(evidence);
  for (const Seeker& seeker : kSeekers)
    for (Finding& f : seeker.find({bill, activity})) {
      f.kind = seeker.kind;
      f.per_week = per_week(f.amount, window);
      if (f.per_week.micro == 0) continue;
      out.per_week += f.per_week;
      out.findings.push_back(std::move(f));
    }
  std::ranges::stable_sort(out.findings, [](const Finding& a, const Finding& b) {
    return std::tie(b.per_week, a.subject.ns, a.subject.name) <
           std::tie(a.per_week, b.subject.ns, b.subject.name);
  });
  return out;
}

}  // namespace etiage::explain
