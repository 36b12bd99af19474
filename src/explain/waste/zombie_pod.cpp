// Pods that hold a device and have done nothing for long.

#include <fmt/format.h>

#include "explain/waste/engine_series.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

// Half a day: longer than a night without visitors; notebooks are culled after a day at most.
constexpr double kLong = 12 * 3600;
// So much of the silence must have been seen.
constexpr double kCovered = 0.8;

bool is_zombie(const Evidence& evidence, PodId id, const Activity& a) {
  const PodLife& pod = evidence.pods[id.index()];
  if (a.blind || a.quiet_seconds <= 0 || pod.life.end < evidence.window.end) return false;
  const double quiet = (evidence.window.end - a.quiet_since).as_seconds();
  const double there = overlap(pod.life, evidence.window).length().as_seconds();
  return quiet >= kLong && a.quiet_seconds >= kCovered * quiet * a.held_seconds / there;
}

/// All that was paid for the pod in the hours of its silence.
void claim_silence(Bill& bill, PodId pod, Instant since, Finding& finding) {
  for (LeafRef at : bill.of_pod(pod)) {
    if (bill.cell(at).span.start < since) continue;
    const auto bucket = bill.leaf(at).bucket;
    if (bucket == ledger::Bucket::kHeldIdle || bucket == ledger::Bucket::kCpuMemory) bill.claim(at, finding);
  }
}

Proof tokens_of(const Evidence& evidence, PodId id) {
  const PodLife& pod = evidence.pods[id.index()];
  const std::string own = fmt::format("namespace=\"{}\",pod=\"{}\"", pod.ns, pod.name);
  return {pod.name + " served no token", 0.0,
          fmt::format("increase({})", engine_series(pod.engine).output_tokens.selector(own))};
}

void add_proofs(const Search& search, PodId id, Finding& finding) {
  const Evidence& evidence = search.bill.evidence;
  const Activity& a = search.activity[id.index()];
  const PodLife& pod = evidence.pods[id.index()];
  finding.evidence.push_back({fmt::format("{} computed nothing for {}", pod.name,
                                          hours_text((evidence.window.end - a.quiet_since).as_seconds())),
                              (evidence.window.end - a.quiet_since).as_hours(),
                              busy_source(evidence, id, a.signal, a.device)});
  if (pod.counts_tokens) finding.evidence.push_back(tokens_of(evidence, id));
}

}  // namespace

Findings zombie_pods(const Search& search) {
  const Evidence& evidence = search.bill.evidence;
  std::vector<PodId> zombies;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i)
    if (is_zombie(evidence, {i}, search.activity[i])) zombies.push_back({i});
  Findings out;
  for (const auto& pods : by_workload(evidence, zombies)) {
    Finding f{
        .subject = workload_of(evidence, pods.front()), .owner = owner_of(evidence, pods), .pods = pods};
    f.since = Instant::max();
    for (PodId pod : pods) {
      const Activity& a = search.activity[pod.index()];
      claim_silence(search.bill, pod, a.quiet_since, f);
      f.since = std::min(f.since, std::max(a.quiet_since, evidence.pods[pod.index()].life.start));
      if (a.grade == Grade::kAssumed && a.signal != BusySignal::kGpuUtil) f.confidence = Confidence::kMedium;
      add_proofs(search, pod, f);
    }
    f.fix = {scale_command(f.subject, 0)};
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
