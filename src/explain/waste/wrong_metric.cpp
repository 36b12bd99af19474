// Model servers that are scaled on how busy a GPU or a CPU looks: a GPU looks busy as soon as one request
// runs, so that replicas are never given back; a CPU stays quiet whatever the queue.

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "explain/waste/scaling_signal.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

/// Holds devices and serves: its engine counts tokens, or it names a model.
bool serves(const Evidence& evidence, const std::vector<PodId>& pods, const std::vector<Activity>& activity) {
  return std::ranges::any_of(pods, [&](PodId id) {
    const PodLife& pod = evidence.pods[id.index()];
    return (pod.counts_tokens || pod.model.valid()) && activity[id.index()].measured_seconds > 0;
  });
}

}  // namespace

Findings wrong_metrics(const Search& search) {
  const Evidence& evidence = search.bill.evidence;
  Findings out;
  std::set<std::vector<PodId>> seen;  // KEDA keeps an HPA for each ScaledObject
  for (const ClusterAutoscaler& a : search.bill.autoscalers) {
    const auto wrong = wrong_signal(a.autoscaler);
    const auto pods = scaled_pods(evidence, a);
    if (!wrong || pods.empty() || !serves(evidence, pods, search.activity) || !seen.insert(pods).second)
      continue;
    Finding f{.subject = {a.autoscaler.kind, a.autoscaler.meta.ns, a.autoscaler.meta.name, a.cluster},
              .owner = owner_of(evidence, pods),
              .confidence = Confidence::kMedium,
              .pods = pods};
    double measured = 0, busy = 0;
    for (PodId pod : pods) {
      const Activity& act = search.activity[pod.index()];
      if (act.blind) continue;
      measured += act.measured_seconds, busy += act.busy_seconds;
      for (LeafRef at : search.bill.of_pod(pod))
        if (search.bill.leaf(at).bucket == ledger::Bucket::kHeldIdle) search.bill.claim(at, f);
    }
    if (f.claims.empty()) continue;
    f.since = last_stretch(search.bill, f.claims);
    const Activity& first = search.activity[pods.front().index()];
    f.evidence = {{fmt::format("{}/{} is scaled on {}: {}", a.autoscaler.target_kind, a.autoscaler.target,
                               wrong->metric, wrong->reason),
                   wrong->target, fmt::format("{}/{}", a.autoscaler.kind, a.autoscaler.meta.name)},
                  {fmt::format("its cards were busy {} of {} with evidence", percent_text(busy / measured),
                               hours_text(measured)),
                   busy / measured, busy_source(evidence, pods.front(), first.signal, first.device)}};
    f.fix = right_signal(a.autoscaler, evidence.pods[pods.front().index()].engine);
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
