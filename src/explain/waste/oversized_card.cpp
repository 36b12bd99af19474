// Pods whose memory and work would fit fewer cards of their node, or a cheaper card that the cluster has.
//
//   4 cards  [##  |##  |##  |##  ]             H100  [##                 ]  10.00 an hour
//   2 cards  [####|####]  holds it             L4    [#######   ]            0.80 an hour

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/counted.h"
#include "catalog/cards.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

// As of an oversized slice; a card must be cheaper by a fifth to be worth the move.
constexpr double kMemoryMargin = 1.15, kFullest = 0.8, kWorthwhile = 0.8, kLeastEvidence = 6 * 3600;
constexpr double kGib = 1024.0 * 1024 * 1024;

/// A type of card that the cluster has, and what one costs an hour.
struct Offer {
  Card card;
  std::string product;  ///< as the nodes' label names it
  double hourly = 0;
};

/// The whole cards that a pod holds alone, all of one type.
struct Held {
  PodId pod;
  Card card;
  std::size_t cards = 0;
  double used_gib = 0;  ///< the peaks of all of them
  double hourly = 0;    ///< of one card
};

double card_hourly(const Search& search, NodeId id) {
  const auto& hourly = search.bill.ledger.nodes[id.index()].hourly;
  const int cards = search.bill.evidence.nodes[id.index()].cards;
  return hourly && cards > 0 ? hourly->units() / cards : 0;
}

/// By card, the cheapest nodes' price.
std::map<std::string, Offer> offers(const Search& search) {
  std::map<std::string, Offer> out;
  for (std::uint32_t i = 0; i < search.bill.evidence.nodes.size(); ++i) {
    const NodeLife& node = search.bill.evidence.nodes[i];
    const auto card = catalog::find_card(node.card, catalog::cards());
    const double hourly = card_hourly(search, NodeId{i});
    if (!card || hourly <= 0 || node.cordoned || !node.healthy || node.sharing != Sharing::kWhole) continue;
    const auto [it, added] = out.try_emplace(card->key, Offer{*card, node.card, hourly});
    if (!added && hourly < it->second.hourly) it->second = {*card, node.card, hourly};
  }
  return out;
}

/// Devices that more than one pod held in the window.
std::set<DeviceId> shared_devices(const Evidence& evidence) {
  std::map<DeviceId, PodId> holder;
  std::set<DeviceId> out;
  for (const Holding& h : evidence.holdings)
    if (h.device.valid())
      if (const auto [it, added] = holder.try_emplace(h.device, h.pod); !added && it->second != h.pod)
        out.insert(h.device);
  return out;
}

std::map<PodId, Held> held_cards(const Search& search) {
  const Evidence& evidence = search.bill.evidence;
  const auto shared = shared_devices(evidence);
  std::map<PodId, Held> out;
  std::set<PodId> others;  // pods that hold anything else
  for (const Holding& h : evidence.holdings) {
    Held& held = out[h.pod];
    const DeviceLife* d = h.device.valid() ? &evidence.devices[h.device.index()] : nullptr;
    if (!d || !d->instance.empty() || h.share != 1 || d->memory_peak.count <= 0 ||
        shared.contains(h.device)) {
      others.insert(h.pod);
      continue;
    }
    const std::string& name = d->card_model.empty() ? evidence.nodes[h.node.index()].card : d->card_model;
    const auto card = catalog::find_card(name, catalog::cards());
    if (!card || (held.cards > 0 && card->key != held.card.key)) {
      others.insert(h.pod);
      continue;
    }
    held.pod = h.pod, held.card = *card, held.hourly = card_hourly(search, h.node);
    held.cards += 1, held.used_gib += static_cast<double>(d->memory_peak.count) / kGib;
  }
  std::erase_if(out, [&](const auto& p) { return others.contains(p.first); });
  return out;
}

/// Whether an earlier finding took any of its idle time.
bool already_told(const Bill& bill, PodId pod) {
  return std::ranges::any_of(bill.of_pod(pod), [&](LeafRef at) {
    return bill.leaf(at).bucket == ledger::Bucket::kHeldIdle && bill.unclaimed(at) < bill.leaf(at).amount;
  });
}

/// Halves, as models are cut; 0: all of them are needed.
std::size_t fewer_cards(const Held& held, double peak) {
  std::size_t best = 0;
  for (std::size_t n = held.cards / 2; n > 0 && held.cards % n == 0; n /= 2) {
    const auto of = static_cast<double>(n);
    if (held.used_gib * kMemoryMargin > of * held.card.visible_gib) break;
    if (peak * static_cast<double>(held.cards) > kFullest * of) break;
    best = n;
  }
  return best;
}

/// The work that filled a card's busiest hour, taken to be bound by whatever the other card has least of.
bool does_the_work(const Card& other, const Card& mine, double peak) {
  if (other.flops16_tera <= 0 || other.bandwidth_gbs <= 0) return false;
  const double slower =
      std::max(mine.flops16_tera / other.flops16_tera, mine.bandwidth_gbs / other.bandwidth_gbs);
  return peak * slower <= kFullest;
}

const Offer* cheaper_card(const std::map<std::string, Offer>& offers, const Held& held, double peak,
                          std::string_view model) {
  const Offer* best = nullptr;
  const bool fp8 = lower_case(model).contains("fp8");
  for (const auto& [key, offer] : offers) {
    if (key == held.card.key || offer.hourly > kWorthwhile * held.hourly) continue;
    if (held.used_gib * kMemoryMargin > offer.card.visible_gib || (fp8 && offer.card.flops8_tera <= 0))
      continue;
    if (does_the_work(offer.card, held.card, peak) && (!best || offer.hourly < best->hourly)) best = &offer;
  }
  return best;
}

/// What would do, and the part of the money that it spares.
struct Smaller {
  std::size_t cards = 0;
  const Offer* offer = nullptr;  ///< another card; nothing: fewer of the same
  double spared = 0;
};

std::optional<Smaller> smaller(const Search& search, const std::map<std::string, Offer>& offers,
                               const Held& held) {
  const double peak = search.activity[held.pod.index()].peak;
  if (held.cards > 1) {
    const std::size_t n = fewer_cards(held, peak);
    if (n == 0) return {};
    return Smaller{n, nullptr, 1 - static_cast<double>(n) / static_cast<double>(held.cards)};
  }
  const ModelId model = search.bill.evidence.pods[held.pod.index()].model;
  const Offer* offer = cheaper_card(
      offers, held, peak, model.valid() ? search.bill.evidence.models[model.index()].name : std::string());
  if (!offer) return {};
  return Smaller{1, offer, 1 - offer->hourly / held.hourly};
}

void add_words(const Search& search, const Held& held, const Smaller& to, Finding& f) {
  const Activity& a = search.activity[held.pod.index()];
  const Evidence& evidence = search.bill.evidence;
  const std::string& resource = evidence.pods[held.pod.index()].devices.resource;
  const double room = static_cast<double>(to.cards) * (to.offer ? to.offer->card : held.card).visible_gib;
  f.evidence = {{fmt::format("used at most {:.1f} GiB of {} of {:.0f}; {} {:.0f}", held.used_gib,
                             counted(held.cards, "card"), held.card.visible_gib,
                             to.offer ? "a " + to.offer->card.name + " has"
                                      : counted(to.cards, "card has", "cards have"),
                             room),
                 held.used_gib,
                 fmt::format("max_over_time(DCGM_FI_DEV_FB_USED{{UUID=\"{}\"}})",
                             evidence.devices[a.device.index()].uuid)},
                {fmt::format("its busiest hour was {} busy", percent_text(a.peak)), a.peak,
                 busy_source(evidence, held.pod, a.signal, a.device)}};
  if (to.offer)
    f.fix = {fmt::format(
        "nodeSelector: {{nvidia.com/gpu.product: {}}}  # {:.2f} a card-hour instead of {:.2f}; try its "
        "latency first",
        to.offer->product, to.offer->hourly, held.hourly)};
  else
    f.fix = {fmt::format("resources: {{limits: {{{}: {}}}}}  # instead of {}, with --tensor-parallel-size={}",
                         resource.empty() ? "nvidia.com/gpu" : resource, to.cards, held.cards, to.cards)};
}

/// Replicas share a template: one that holds more than that, and needs it, keeps the others as they are.
bool one_needs_more(const Search& search, const std::map<std::string, Offer>& offers,
                    const std::map<PodId, Held>& all, const Finding& f, const Smaller& to) {
  return std::ranges::any_of(all, [&](const auto& entry) {
    const auto& [pod, held] = entry;
    const bool more = to.offer ? held.card.key != to.offer->card.key : held.cards > to.cards;
    return more && workload_of(search.bill.evidence, pod) == f.subject && !smaller(search, offers, held);
  });
}

}  // namespace

Findings oversized_cards(const Search& search) {
  const Evidence& evidence = search.bill.evidence;
  const auto known = offers(search);
  const auto all = held_cards(search);
  std::map<PodId, std::pair<Held, Smaller>> found;
  std::vector<PodId> pods;
  for (const auto& [pod, held] : all) {
    const Activity& a = search.activity[pod.index()];
    const double least = kLeastEvidence * static_cast<double>(held.cards);
    if (a.blind || a.measured_seconds < least || already_told(search.bill, pod)) continue;
    const auto to = smaller(search, known, held);
    if (!to) continue;
    found.emplace(pod, std::pair(held, *to));
    pods.push_back(pod);
  }
  Findings out;
  for (const auto& group : by_workload(evidence, pods)) {
    // Replicas are alike: what the most demanding of them needs is what all get.
    const auto& [held, to] =
        found.at(*std::ranges::min_element(group, {}, [&](PodId p) { return found.at(p).second.spared; }));
    Finding f{.subject = workload_of(evidence, group.front()),
              .owner = owner_of(evidence, group),
              .confidence = Confidence::kMedium,
              .pods = group};
    if (one_needs_more(search, known, all, f, to)) continue;
    for (PodId pod : group) claim_difference(search.bill, pod, to.spared, f);
    if (f.claims.empty()) continue;
    f.since = last_stretch(search.bill, f.claims);
    add_words(search, held, to, f);
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
