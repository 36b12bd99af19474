// Workloads whose devices worked less than half of the time they were held.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "catalog/mig_geometry.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

// Above this a workload is in order: peaks need room. Below an hour of evidence nothing is said.
constexpr double kBusyEnough = 0.5, kEnoughEvidence = 3600;
// What a replica may be filled to when the number of replicas is worked out anew.
constexpr double kTargetBusy = 0.7;

/// The activity of all pods of a workload together.
struct Whole {
  double held = 0, measured = 0, busy = 0, waiting = 0, tokens = 0, peak = 0;
  bool counts_tokens = false, divided = false;
};

Whole whole_of(const Search& search, const std::vector<PodId>& pods) {
  Whole out;
  for (PodId pod : pods) {
    const Activity& a = search.activity[pod.index()];
    out.held += a.held_seconds, out.measured += a.measured_seconds, out.busy += a.busy_seconds;
    out.waiting += a.waiting_seconds, out.tokens += a.tokens, out.peak = std::max(out.peak, a.peak);
    out.counts_tokens |= search.bill.evidence.pods[pod.index()].counts_tokens;
    out.divided |= a.grade == Grade::kAssumed && a.signal != BusySignal::kGpuUtil &&
                   a.signal != BusySignal::kGrEngineActive;
  }
  return out;
}

/// Replicas that wait for their turn are full, however little their cards compute.
bool is_full(const Search& search, const std::vector<PodId>& pods, const Whole& w) {
  double present = 0;
  for (PodId pod : pods)
    present += overlap(search.bill.evidence.pods[pod.index()].life, search.bill.evidence.window)
                   .length()
                   .as_seconds();
  return w.waiting > present / 4;
}

/// The smallest profile of the card whose compute the busiest hour fits into.
std::string smaller_slice(const Evidence& evidence, PodId pod, double peak) {
  const PodLife& life = evidence.pods[pod.index()];
  if (!life.node.valid() || life.devices.count != 1 || !life.devices.profile.empty()) return "";
  const auto geometry = catalog::mig_geometry(evidence.nodes[life.node.index()].card);
  if (!geometry) return "";
  const MigProfile* best = nullptr;
  for (const MigProfile& p : geometry->profiles)
    if (p.compute < geometry->compute_slices && p.name.find('+') == std::string::npos &&
        peak * geometry->compute_slices <= kTargetBusy * p.compute &&
        (!best || geometry->share(p) < geometry->share(*best)))
      best = &p;
  return best ? best->name : "";
}

std::vector<std::string> fixes(const Search& search, const std::vector<PodId>& pods, const Finding& f,
                               const Whole& w) {
  const Evidence& evidence = search.bill.evidence;
  const std::int64_t now = replicas_at_end(evidence, pods);
  if (now == 0) return {"it has ended: before the next run ask for fewer cards"};
  const double load = w.measured > 0 ? w.busy / w.measured : 0;
  const auto enough =
      std::max<std::int64_t>(1, std::llround(std::ceil(static_cast<double>(now) * load / kTargetBusy)));
  if (enough < now && f.subject.kind != "LeaderWorkerSet") return {scale_command(f.subject, enough)};
  if (const std::string slice = smaller_slice(evidence, pods.front(), w.peak); !slice.empty())
    return {fmt::format("resources: {{limits: {{nvidia.com/mig-{}: 1}}}}", slice),
            "etiage size MODEL --mig auto  # does the model fit, and hold its SLO"};
  const ModelId model = evidence.pods[pods.front().index()].model;
  return {fmt::format("etiage size {} --mig auto  # fewer or smaller cards that hold its SLO",
                      model.valid() ? evidence.models[model.index()].name : "MODEL"),
          scale_command(f.subject, 0) + "  # while nobody asks"};
}

}  // namespace

Findings idle_held(const Search& search) {
  const Evidence& evidence = search.bill.evidence;
  std::vector<PodId> holders;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i)
    if (search.activity[i].measured_seconds > 0 && !search.activity[i].blind) holders.push_back({i});
  Findings out;
  for (const auto& pods : by_workload(evidence, holders)) {
    const Whole w = whole_of(search, pods);
    if (w.measured < kEnoughEvidence || w.busy >= kBusyEnough * w.measured || is_full(search, pods, w))
      continue;
    Finding f{
        .subject = workload_of(evidence, pods.front()), .owner = owner_of(evidence, pods), .pods = pods};
    for (PodId pod : pods)
      for (LeafRef at : search.bill.of_pod(pod))
        if (search.bill.leaf(at).bucket == ledger::Bucket::kHeldIdle) search.bill.claim(at, f);
    if (f.claims.empty()) continue;
    f.since = last_stretch(search.bill, f.claims);
    if (w.divided || w.measured < 0.8 * w.held) f.confidence = Confidence::kMedium;
    const Activity& first = search.activity[pods.front().index()];
    f.evidence.push_back({fmt::format("busy {} of {} of card time with evidence",
                                      percent_text(w.busy / w.measured), hours_text(w.measured)),
                          w.busy / w.measured,
                          busy_source(evidence, pods.front(), first.signal, first.device)});
    if (w.counts_tokens)
      f.evidence.push_back({w.tokens > 0 ? fmt::format("served {:.3g} tokens", w.tokens) : "served no token",
                            w.tokens, "token counters of its engine"});
    f.fix = fixes(search, pods, f, w);
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
