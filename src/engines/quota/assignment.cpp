#include "engines/quota/assignment.h"

#include <algorithm>

namespace etiage::quota {

Mode PodSetAssignment::mode() const {
  if (fits_as_is()) return Mode::kFit;
  if (!error.empty() || picks.empty()) return Mode::kNoFit;
  Mode worst = Mode::kFit;
  for (const Pick& p : picks) worst = std::min(worst, p.mode);
  return worst;
}

void PodSetAssignment::set_mode(Mode mode) {
  for (Pick& p : picks) p.mode = mode;
}

const Pick* PodSetAssignment::pick(ResourceId resource) const {
  const auto it =
      std::find_if(picks.begin(), picks.end(), [&](const Pick& p) { return p.resource == resource; });
  return it == picks.end() ? nullptr : &*it;
}

void Assignment::clear() {
  pod_sets.clear();
  usage.clear();
  borrowing = 0;
  known_mode.reset();
}

Mode Assignment::mode() {
  if (pod_sets.empty()) return Mode::kNoFit;
  if (known_mode) return *known_mode;
  Mode worst = Mode::kFit;
  for (const PodSetAssignment& p : pod_sets) worst = std::min(worst, p.mode());
  known_mode = worst;
  return worst;
}

void Assignment::add_usage(Column column, Amount amount) {
  const auto it = std::lower_bound(usage.begin(), usage.end(), column,
                                   [](const ColumnAmount& u, Column c) { return u.column < c; });
  if (it != usage.end() && it->column == column)
    it->amount = plus(it->amount, amount);
  else
    usage.insert(it, {column, amount});
}

StatusText Assignment::status() const {
  StatusText out;
  for (std::uint32_t i = 0; i < pod_sets.size(); ++i) {
    if (pod_sets[i].fits_as_is()) continue;
    if (!pod_sets[i].error.empty()) return {.plain = "", .faults = {{i, {}, pod_sets[i].error}}};
    out.faults.push_back({i, pod_sets[i].reasons, ""});
  }
  return out;
}

std::unique_ptr<LastTried> Assignment::last_tried(std::int64_t generation) const {
  const auto open = [](const PodSetAssignment& p) {
    return std::any_of(p.picks.begin(), p.picks.end(), [](const Pick& pick) { return pick.tried != -1; });
  };
  // "All tried" everywhere and "nothing tried" mean the same to the next attempt.
  if (std::none_of(pod_sets.begin(), pod_sets.end(), open)) return nullptr;
  auto out = std::make_unique<LastTried>();
  out->generation = generation;
  for (const PodSetAssignment& p : pod_sets) {
    auto& flavors = out->flavors.emplace_back();
    for (const Pick& pick : p.picks) flavors.emplace_back(pick.resource, pick.tried);
  }
  return out;
}

std::string_view condition_reason(PreemptionReason reason) {
  switch (reason) {
    case PreemptionReason::kInClusterQueue:
      return "InClusterQueue";
    case PreemptionReason::kInCohortReclamation:
      return "InCohortReclamation";
    case PreemptionReason::kInCohortFairSharing:
      return "InCohortFairSharing";
    case PreemptionReason::kInCohortReclaimWhileBorrowing:
      return "InCohortReclaimWhileBorrowing";
  }
  return "";
}

std::string_view human_reason(PreemptionReason reason) {
  switch (reason) {
    case PreemptionReason::kInClusterQueue:
      return "prioritization in the ClusterQueue";
    case PreemptionReason::kInCohortReclamation:
      return "reclamation within the cohort";
    case PreemptionReason::kInCohortFairSharing:
      return "Fair Sharing within the cohort";
    case PreemptionReason::kInCohortReclaimWhileBorrowing:
      return "reclamation within the cohort while borrowing";
  }
  return "UNKNOWN";
}

}  // namespace etiage::quota
