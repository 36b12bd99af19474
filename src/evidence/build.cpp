#include "evidence/build.h"

#include <algorithm>

#include "evidence/draft.h"

namespace etiage::evidence {

std::string Draft::cluster_of(std::string_view label) const {
  const auto it = cluster_alias.find(std::string(label));
  return it == cluster_alias.end() ? std::string(label) : it->second;
}

PodId Draft::add_pod(PodLife life, PodDraft more) {
  const PodId id{static_cast<std::uint32_t>(out.pods.size())};
  lives.emplace(PodKey{life.cluster, life.ns, life.name}, id);
  out.pods.push_back(std::move(life));
  pods.push_back(std::move(more));
  return id;
}

NodeId Draft::node_named(const std::string& cluster, const std::string& name) const {
  const auto it = nodes.find({cluster, name});
  return it == nodes.end() ? NodeId{} : it->second;
}

PodId Draft::life_at(const PodKey& key, Instant t) const {
  const auto [from, to] = lives.equal_range(key);
  for (auto it = from; it != to; ++it)
    if (out.pods[it->second.index()].life.contains(t)) return it->second;
  return {};
}

PodId Draft::life_within(const PodKey& key, Window span) const {
  const auto [from, to] = lives.equal_range(key);
  PodId best;
  Duration most{-1};
  for (auto it = from; it != to; ++it) {
    const Duration both = overlap(out.pods[it->second.index()].life, span).length();
    if (both > most) best = it->second, most = both;
  }
  return best;
}

std::vector<Instant> interval_ends(Window span, std::span<const Instant> cuts) {
  if (span.empty()) return {span.start};
  std::vector<Instant> out{span.start};
  constexpr std::int64_t hour = Duration::hours(1).ns;
  std::int64_t next = span.start.ns / hour * hour;
  if (next <= span.start.ns) next += hour;
  for (; next < span.end.ns; next += hour) out.push_back({next});
  for (Instant c : cuts)
    if (span.start < c && c < span.end) out.push_back(c);
  out.push_back(span.end);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Evidence build_evidence(const Sources& sources, const Request& request) {
  Draft draft{
      .sources = sources, .request = request, .catalogue = device_catalogue(sources.series, request.threads)};
  name_clusters(draft);
  find_window(draft);
  add_nodes(draft);
  add_pods(draft);
  place_devices(draft);
  add_holdings(draft);
  find_engines(draft);
  add_work(draft);
  add_states(draft);
  add_resources(draft);
  add_served(draft);
  add_tenants(draft);
  add_checks(draft);
  if (draft.out.window.empty()) add_state(draft);
  return std::move(draft.out);
}

}  // namespace etiage::evidence
