// What the evidence cannot carry, said in the report with a way to mend it.

#include <algorithm>
#include <cmath>
#include <set>

#include "evidence/accelerators.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

std::string name_of(const PodLife& pod) {
  return pod.ns + "/" + pod.name;
}

void check_window(Draft& draft) {
  if (!draft.out.window.empty()) return;
  const bool nothing = draft.sources.series.all().empty();
  draft.check({"no-window",
               Severity::kWarning,
               nothing ? "no samples: no window" : "one sample: no window",
               "state and hourly rates are shown, the bill is 0",
               "give a dump or range query that spans time",
               {}});
}

/// Which signal the devices have, and what that makes of `busy`.
void check_signals(Draft& draft) {
  std::set<BusySignal> used;
  for (const Work& w : draft.out.work) used.insert(w.signal);
  if (used.empty() || *used.begin() == BusySignal::kSmActive) return;
  draft.check({"sm-active-missing",
               Severity::kWarning,
               "busy is taken from " + std::string(to_string(*used.begin())) +
                   ", an upper bound: DCGM_FI_PROF_SM_ACTIVE is not exported",
               "busy is too high, heldIdle too low",
               "add `DCGM_FI_PROF_SM_ACTIVE, gauge, The ratio of cycles an SM has at least 1 warp assigned.` "
               "to the exporter's counters file",
               {}});
}

void check_mixed_signals(Draft& draft) {
  std::set<BusySignal> used;
  for (const Work& w : draft.out.work) used.insert(w.signal);
  if (used.size() > 1)
    draft.check({"mixed-signals",
                 Severity::kInfo,
                 "devices are measured by different signals",
                 "models with different signals are not compared",
                 "export the same counters on every node",
                 {}});
}

void check_unmeasured(Draft& draft) {
  std::vector<bool> measured(draft.out.holdings.size());
  for (const Work& w : draft.out.work) measured[w.holding.index()] = true;
  std::vector<std::string> subjects;
  for (std::size_t i = 0; i < measured.size(); ++i)
    if (!measured[i] && !draft.out.window.empty() &&
        draft.out.holdings[i].time.length() > Duration::seconds(0))
      subjects.push_back(name_of(draft.pod(draft.out.holdings[i].pod)));
  std::ranges::sort(subjects);
  subjects.erase(std::unique(subjects.begin(), subjects.end()), subjects.end());
  if (!subjects.empty())
    draft.check({"held-unmeasured", Severity::kWarning,
                 std::to_string(subjects.size()) + " pods hold devices without evidence of work",
                 "their money is `unmeasured`, neither busy nor idle",
                 "scrape the device exporter on their nodes with pod labels", std::move(subjects)});
}

/// No exporter will mend these: they are told apart from pods that only nobody scrapes.
void check_accelerators(Draft& draft) {
  std::map<std::string, std::set<std::string>> pods;  // by card
  for (const Holding& h : draft.out.holdings)
    if (const std::string& card = draft.out.nodes[h.node.index()].card; has_no_exporter(card))
      pods[card].insert(name_of(draft.pod(h.pod)));
  for (const auto& [card, names] : pods)
    draft.check({"accelerator-not-measured",
                 Severity::kInfo,
                 "no exporter that we read tells how busy a " + card + " is",
                 "what pods hold of them is priced, and `unmeasured`",
                 "scrape the engine: its tokens still tell what the money bought",
                 {names.begin(), names.end()}});
}

void check_readiness(Draft& draft) {
  std::size_t holders = 0, known = 0;
  std::set<std::uint32_t> seen;
  for (const Holding& h : draft.out.holdings)
    if (seen.insert(h.pod.value).second) holders += 1, known += draft.pod(h.pod).readiness_known ? 1 : 0;
  if (holders > 0 && known < holders)
    draft.check({"readiness-missing",
                 Severity::kInfo,
                 "readiness is known of " + std::to_string(known) + " of " + std::to_string(holders) +
                     " pods that hold devices",
                 "nothing of the others is `starting`",
                 "scrape kube-state-metrics (kube_pod_status_ready)",
                 {}});
}

void check_odd_values(Draft& draft) {
  const OddValues odd = draft.catalogue.odd;
  if (odd.clamped + odd.dropped > 0)
    draft.check({"odd-values",
                 Severity::kInfo,
                 std::to_string(odd.clamped) + " busy values between 1 and 1.5 clamped to 1, " +
                     std::to_string(odd.dropped) + " outside dropped",
                 "a dropped sample counts as absent",
                 "update the exporter; DCGM gives such values after a profiler was attached",
                 {}});
}

void check_labels(Draft& draft) {
  if (draft.catalogue.exported_labels)
    draft.check({"honor-labels",
                 Severity::kInfo,
                 "device rows name workloads in exported_ labels",
                 "read as they are meant; other tools join them to the exporter",
                 "set honorLabels: true on the exporter's ServiceMonitor",
                 {}});
}

/// Shares above a whole card are scaled down to it.
void scale_overfull(Draft& draft) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_node;
  for (std::uint32_t i = 0; i < draft.out.holdings.size(); ++i)
    of_node[draft.out.holdings[i].node.value].push_back(i);
  std::vector<std::string> subjects;
  for (const auto& [node, holdings] : of_node) {
    std::map<Instant, double> steps;
    for (auto i : holdings) {
      const Holding& h = draft.out.holdings[i];
      if (h.time.empty()) continue;
      steps[h.time.start] += h.share;
      steps[h.time.end] -= h.share;
    }
    double now = 0, most = 0;
    for (const auto& [t, change] : steps) most = std::max(most, now += change);
    const double cards = draft.out.nodes[node].cards;
    if (most <= cards + 1e-9 || most == 0) continue;
    subjects.push_back(draft.out.nodes[node].name);
    if (cards == 0) {
      draft.out.nodes[node].cards = static_cast<int>(std::ceil(most - 1e-9));
      continue;
    }
    for (auto i : holdings) draft.out.holdings[i].share *= cards / most;
  }
  if (!subjects.empty())
    draft.check({"shares-above-card", Severity::kError, "pods hold more than the cards of their node",
                 "shares are scaled to what there is",
                 "look for pods counted twice, or a wrong number of replicas", std::move(subjects)});
}

}  // namespace

void add_checks(Draft& draft) {
  check_window(draft);
  scale_overfull(draft);
  check_signals(draft);
  check_mixed_signals(draft);
  check_unmeasured(draft);
  check_accelerators(draft);
  check_readiness(draft);
  check_odd_values(draft);
  check_labels(draft);
}

}  // namespace etiage::evidence
