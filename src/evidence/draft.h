#pragma once
// What the steps of building hand to each other; private to this room.

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "evidence/build.h"
#include "evidence/device_rows.h"
#include "evidence/engines.h"
#include "evidence/fractions.h"

namespace etiage::evidence {

/// What is known of a pod beyond its PodLife while building.
struct PodDraft {
  std::vector<Instant> begun;         ///< moments before which none of its containers can have started
  std::string declared_model;         ///< by arguments, environment or label
  bool decodes = false;               ///< declared to be of a decode pool: others prefill for it
  std::string replica_group;          ///< pods of one multi-node replica share it; empty: alone
  std::optional<double> mps_limit;    ///< of a card, where CUDA_MPS_ACTIVE_THREAD_PERCENTAGE sets one
  std::vector<DeviceDemand> demands;  ///< all that it asks for; PodLife shows the largest
  std::vector<CardPart> parts;        ///< of cards, where a scheduler of its own divides them
  std::string card_group;             ///< pods on parts of one reserved card share it
  bool reserves = false;              ///< only keeps a card for others
};

using PodKey = std::tuple<std::string, std::string, std::string>;  ///< cluster, namespace, name

struct Draft {
  const Sources& sources;
  const Request& request;
  DeviceCatalogue catalogue;
  Evidence out;
  std::vector<PodDraft> pods;                                   ///< parallel to out.pods
  std::map<std::pair<std::string, std::string>, NodeId> nodes;  ///< by cluster and name
  std::multimap<PodKey, PodId> lives;  ///< of a name there may be several, one after the other
  std::vector<EnginePod> engines;      ///< by pod; filled by find_engines
  std::vector<DeviceId> device_ids;    ///< parallel to catalogue.devices; not valid: no device of its own
  std::map<NodeId, double> card_mib;   ///< memory of a node's cards, where known
  std::map<std::string, std::string> cluster_alias;  ///< `cluster` label to the name used

  std::string cluster_of(std::string_view label) const;
  PodLife& pod(PodId id) { return out.pods[id.index()]; }
  const PodLife& pod(PodId id) const { return out.pods[id.index()]; }
  PodId add_pod(PodLife life, PodDraft more);
  NodeId node_named(const std::string& cluster, const std::string& name) const;
  /// The life of that name at that moment; else not valid.
  PodId life_at(const PodKey& key, Instant t) const;
  /// The only life of that name, or the one that overlaps `span` most; not valid where there is none.
  PodId life_within(const PodKey& key, Window span) const;
  void check(Check check) { out.checks.push_back(std::move(check)); }
};

// The steps, in order. Each adds to `draft.out`.
void name_clusters(Draft& draft);
void find_window(Draft& draft);
void add_nodes(Draft& draft);
void add_pods(Draft& draft);
void place_devices(Draft& draft);
void add_holdings(Draft& draft);
void find_engines(Draft& draft);
void add_work(Draft& draft);
void add_states(Draft& draft);
void add_resources(Draft& draft);
void add_served(Draft& draft);
void add_tenants(Draft& draft);
void add_checks(Draft& draft);
/// Of a single scrape: what it shows of that moment (RULES.md 6).
void add_state(Draft& draft);

/// The moments at which intervals end inside `span`: full UTC hours and the request's cuts; with both ends,
/// sorted.
std::vector<Instant> interval_ends(Window span, std::span<const Instant> cuts);

/// Calls `f(interval, part)` for each interval between the `ends` that `span` reaches into; the parts are of
/// `span` as a whole. An empty span is a moment: all of it is in the interval that holds it. `at` is the
/// index of the interval that `f` is called for; where the last call left it the search begins.
template <class F>
void over_intervals(const std::vector<Instant>& ends, Window span, std::size_t& at, F&& f) {
  const Window all{ends.front(), ends.back()};
  if (span.empty() ? !all.contains(span.start) : overlap(span, all).empty()) return;
  const Instant start = std::max(span.start, all.start);
  if (at + 1 >= ends.size() || !Window{ends[at], ends[at + 1]}.contains(start))
    at = static_cast<std::size_t>(std::ranges::upper_bound(ends, start) - ends.begin()) - 1;
  for (; at + 1 < ends.size(); ++at) {
    const Window interval{ends[at], ends[at + 1]};
    if (span.empty()) return f(interval, 1.0);
    const Window both = overlap(interval, span);
    if (both.empty()) return;
    f(interval, both.length().as_seconds() / span.length().as_seconds());
  }
}
template <class F>
void over_intervals(const std::vector<Instant>& ends, Window span, F&& f) {
  std::size_t at = 0;
  over_intervals(ends, span, at, f);
}

}  // namespace etiage::evidence
