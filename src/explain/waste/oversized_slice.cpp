// Pods whose memory and work would fit a smaller MIG profile of their card.
//
//   3g.40gb  [ used 9 GB |           free             ]   busiest hour: 20 % of 3 slices = 0.6 slices
//   1g.10gb  [ used 9 GB|]                                holds both

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "catalog/cards.h"
#include "catalog/mig_geometry.h"
#include "catalog/mig_slices.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

// Memory may still grow by so much; compute may be filled so far.
constexpr double kMemoryMargin = 1.15, kFullest = 0.8;
// A day shows the peaks of a day; below six hours nothing is said.
constexpr double kDay = 24 * 3600, kLeastEvidence = 6 * 3600;
constexpr double kGib = 1024.0 * 1024 * 1024;

double memory_of(const Card& card, const MigProfile& profile) {
  const auto slice = catalog::mig_slice(card.key, profile.name);
  return slice ? slice->memory_gib : 0;
}

/// What a pod holds alone: a MIG instance, or a whole card that could be cut.
struct Slice {
  Card card;
  MigGeometry geometry;
  MigProfile profile;  ///< the largest one stands for the whole card
  double share = 1;
  double used_gib = 0;
};

MigProfile whole_card(const MigGeometry& g) {
  return *std::ranges::max_element(g.profiles, {}, [](const MigProfile& p) { return p.compute + p.memory; });
}

/// The only holding of each pod that has one device for itself; others have none. Several devices of a pod
/// are one model cut in parts: another question.
std::vector<const Holding*> sole_holdings(const Evidence& evidence) {
  std::vector<std::vector<const Holding*>> of_pod(evidence.pods.size()), of_device(evidence.devices.size());
  for (const Holding& h : evidence.holdings) {
    of_pod[h.pod.index()].push_back(&h);
    if (h.device.valid()) of_device[h.device.index()].push_back(&h);
  }
  const auto shared = [&](const Holding& mine) {
    return std::ranges::any_of(of_device[mine.device.index()], [&](const Holding* h) {
      return h->pod != mine.pod && !overlap(h->time, mine.time).empty();
    });
  };
  std::vector<const Holding*> out(evidence.pods.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (of_pod[i].size() == 1 && of_pod[i][0]->device.valid() && !shared(*of_pod[i][0]))
      out[i] = of_pod[i][0];
  return out;
}

std::optional<Slice> slice_of(const Evidence& evidence, const Holding* mine) {
  if (!mine) return {};
  const DeviceLife& device = evidence.devices[mine->device.index()];
  if (device.memory_peak.count <= 0) return {};
  const std::string& name =
      device.card_model.empty() ? evidence.nodes[mine->node.index()].card : device.card_model;
  const auto card = catalog::find_card(name, catalog::cards());
  const auto geometry = catalog::mig_geometry(name);
  if (!card || !geometry) return {};
  const MigProfile* profile = device.instance.empty() ? nullptr : geometry->find(device.profile);
  if (!device.instance.empty() && !profile) return {};
  return Slice{*card, *geometry, profile ? *profile : whole_card(*geometry), mine->share,
               static_cast<double>(device.memory_peak.count) / kGib};
}

/// The smallest profile that holds the memory's peak and the busiest hour.
std::optional<MigProfile> smaller(const Slice& s, double peak) {
  std::optional<MigProfile> best;
  for (const MigProfile& p : s.geometry.profiles) {
    if (p.name.find('+') != std::string::npos || s.geometry.share(p) >= s.share - 1e-9) continue;
    if (memory_of(s.card, p) < s.used_gib * kMemoryMargin) continue;
    if (peak * s.profile.compute > kFullest * p.compute) continue;
    if (!best || s.geometry.share(p) < s.geometry.share(*best)) best = p;
  }
  return best;
}

void add_proofs(const Search& search, PodId pod, const Slice& s, const MigProfile& fits, Finding& f) {
  const Activity& a = search.activity[pod.index()];
  const DeviceLife& device = search.bill.evidence.devices[a.device.index()];
  const std::string of =
      fmt::format("UUID=\"{}\"{}", device.uuid,
                  device.instance.empty() ? "" : fmt::format(",GPU_I_ID=\"{}\"", device.instance));
  f.evidence.push_back(
      {fmt::format("used at most {:.1f} of {:.1f} GiB; {} has {:.1f}", s.used_gib,
                   device.instance.empty() ? s.card.visible_gib : memory_of(s.card, s.profile), fits.name,
                   memory_of(s.card, fits)),
       s.used_gib, fmt::format("max_over_time(DCGM_FI_DEV_FB_USED{{{}}})", of)});
  f.evidence.push_back({fmt::format("its busiest hour was {} busy", percent_text(a.peak)), a.peak,
                        busy_source(search.bill.evidence, pod, a.signal, a.device)});
}

/// Several replicas of a workload get the larger of what each needs.
struct Candidate {
  PodId pod;
  Slice slice;
  MigProfile fits;
};

std::vector<Candidate> candidates(const Search& search, const std::vector<const Holding*>& holdings) {
  std::vector<Candidate> out;
  const Evidence& evidence = search.bill.evidence;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const Activity& a = search.activity[i];
    if (a.blind || !a.device.valid() ||
        a.measured_seconds < kLeastEvidence * evidence.devices[a.device.index()].share)
      continue;
    const auto slice = slice_of(evidence, holdings[i]);
    if (!slice) continue;
    if (const auto fits = smaller(*slice, a.peak)) out.push_back({{i}, *slice, *fits});
  }
  return out;
}

/// Replicas share a template: one that holds more than `keeps`, and needs it, keeps the others as they are.
bool one_needs_more(const Search& search, const std::vector<const Holding*>& holdings,
                    const Subject& workload, double keeps) {
  const Evidence& evidence = search.bill.evidence;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const auto slice = slice_of(evidence, holdings[i]);
    if (slice && slice->share > keeps + 1e-9 && workload_of(evidence, {i}) == workload &&
        !smaller(*slice, search.activity[i].peak))
      return true;
  }
  return false;
}

}  // namespace

Findings oversized_slices(const Search& search) {
  const Evidence& evidence = search.bill.evidence;
  std::map<PodId, Candidate> found;
  std::vector<PodId> pods;
  const auto holdings = sole_holdings(evidence);
  for (Candidate& c : candidates(search, holdings)) pods.push_back(c.pod), found.emplace(c.pod, std::move(c));
  Findings out;
  for (const auto& group : by_workload(evidence, pods)) {
    std::vector<const Candidate*> mine;
    for (PodId pod : group) mine.push_back(&found.at(pod));
    const Candidate& largest = **std::ranges::max_element(
        mine, {}, [](const Candidate* c) { return c->slice.geometry.share(c->fits); });
    const double keeps = largest.slice.geometry.share(largest.fits);
    Finding f{
        .subject = workload_of(evidence, group.front()), .owner = owner_of(evidence, group), .pods = group};
    if (one_needs_more(search, holdings, f.subject, keeps)) continue;
    for (const Candidate* c : mine) {
      claim_difference(search.bill, c->pod, 1 - keeps / c->slice.share, f);
      if (search.activity[c->pod.index()].measured_seconds < kDay * c->slice.share)
        f.confidence = Confidence::kMedium;
    }
    if (f.claims.empty()) continue;
    f.since = last_stretch(search.bill, f.claims);
    add_proofs(search, largest.pod, largest.slice, largest.fits, f);
    f.fix = {fmt::format("resources: {{limits: {{nvidia.com/mig-{}: 1}}}}  # instead of {}",
                         largest.fits.name, evidence.pods[largest.pod.index()].devices.resource)};
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
