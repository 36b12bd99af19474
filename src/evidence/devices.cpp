// Which node each device of the rows belongs to, and how a node's cards are cut.

#include <algorithm>
#include <charconv>
#include <set>

#include "catalog/mig_geometry.h"
#include "evidence/accelerators.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// The host that an exporter names is a node, or the exporter's own pod; else whoever holds the device tells
/// the node.
NodeId node_of(const Draft& draft, const DeviceRows& rows) {
  const std::string cluster = draft.cluster_of(rows.cluster);
  if (const NodeId id = draft.node_named(cluster, rows.node_label); id.valid()) return id;
  if (const NodeId id = draft.node_named(cluster, rows.host); id.valid()) return id;
  const Window span{rows.first, rows.last + Duration{1}};
  const auto node_of_pod = [&](const PodName& name) {
    const PodId pod = draft.life_within({cluster, name.first, name.second}, span);
    return pod.valid() ? draft.out.pods[pod.index()].node : NodeId{};
  };
  if (const NodeId id = node_of_pod(rows.exporter); id.valid()) return id;
  for (const auto& [key, pod] : draft.lives)  // the host may be the exporter's pod, of whatever namespace
    if (std::get<2>(key) == rows.host && std::get<0>(key) == cluster &&
        draft.out.pods[pod.index()].node.valid())
      return draft.out.pods[pod.index()].node;
  for (const Presence& p : rows.presences)
    if (const NodeId id = node_of_pod(p.pod); id.valid()) return id;
  return {};
}

NodeId node_by_rows(Draft& draft, const DeviceRows& rows) {
  const std::string cluster = draft.cluster_of(rows.cluster);
  const std::string name = !rows.node_label.empty() ? rows.node_label
                           : !rows.host.empty()     ? rows.host
                                                    : "unknown";
  const Window seen{rows.first, rows.last + std::max(Duration::seconds(300), rows.interval * 3)};
  const auto [it, added] =
      draft.nodes.try_emplace({cluster, name}, NodeId{static_cast<std::uint32_t>(draft.out.nodes.size())});
  if (added) {
    draft.out.nodes.emplace_back();
    draft.out.nodes.back().cluster = cluster;
    draft.out.nodes.back().name = name;
    draft.out.nodes.back().life = overlap(seen, draft.out.window);
  } else {
    Window& life = draft.out.nodes[it->second.index()].life;
    life = overlap({std::min(life.start, seen.start), std::max(life.end, seen.end)}, draft.out.window);
  }
  return it->second;
}

using Card = std::pair<NodeId, std::string>;  ///< node and UUID

/// Cards with instances: rows of such a card speak for no device of their own, the instances do.
std::set<Card> cards_with_instances(const DeviceCatalogue& catalogue, const std::vector<NodeId>& nodes) {
  std::set<Card> out;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!catalogue.devices[i].instance.empty()) out.emplace(nodes[i], catalogue.devices[i].uuid);
  return out;
}

/// The instances of one card.
struct CardLayout {
  std::vector<std::string> profiles;
};

void cut_cards(Draft& draft) {
  std::map<std::pair<std::uint32_t, std::string>, CardLayout> layouts;
  std::map<std::uint32_t, std::set<std::string>> cards;
  for (const DeviceLife& d : draft.out.devices) {
    cards[d.node.value].insert(d.uuid);
    if (!d.instance.empty()) layouts[{d.node.value, d.uuid}].profiles.push_back(d.profile);
  }
  for (const auto& [id, uuids] : cards) {
    NodeLife& node = draft.out.nodes[id];
    node.cards = std::max(node.cards, static_cast<int>(uuids.size()));
  }
  for (const auto& [key, layout] : layouts) {
    NodeLife& node = draft.out.nodes[key.first];
    node.sharing = Sharing::kMig;
    if (const auto geometry = catalog::mig_geometry(node.card))
      if (const auto rest = uncreated_rest(*geometry, layout.profiles)) node.rests.push_back(*rest);
  }
}

/// Texts of nvidia-smi tell an instance by its size: `4864MiB,14SM`.
std::string profile_of(const DeviceRows& rows) {
  const std::size_t memory = rows.profile.find("MiB,");
  if (memory == std::string::npos) return rows.profile;
  double mib = 0;
  int multiprocessors = 0;
  const char* const text = rows.profile.data();
  std::from_chars(text, text + memory, mib);
  std::from_chars(text + memory + 4, text + rows.profile.size(), multiprocessors);
  return catalog::mig_profile_of_size(rows.card_model, mib, multiprocessors);
}

double device_share(const NodeLife& node, const std::string& profile) {
  if (const int parts = amd_parts(node.card, profile); parts > 1) return 1.0 / parts;
  return profile.empty() ? 1 : catalog::mig_share(node.card, profile);
}

void check_twins(Draft& draft) {
  if (draft.catalogue.twins.empty()) return;
  draft.check(
      {"uuid-on-two-nodes", Severity::kWarning,
       std::to_string(draft.catalogue.twins.size()) + " device UUIDs are seen on two nodes at the same time",
       "each node's is counted as a device of its own",
       "look for cloned virtual machines, or clusters whose series carry no `cluster` label",
       draft.catalogue.twins});
}

}  // namespace

void place_devices(Draft& draft) {
  std::vector<NodeId> nodes;
  for (const DeviceRows& rows : draft.catalogue.devices) {
    const NodeId known = node_of(draft, rows);
    nodes.push_back(known.valid() ? known : node_by_rows(draft, rows));
  }
  const auto cut = cards_with_instances(draft.catalogue, nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const DeviceRows& rows = draft.catalogue.devices[i];
    const NodeId node = nodes[i];
    if (rows.instance.empty() && cut.contains({node, rows.uuid})) {
      draft.device_ids.emplace_back();
      continue;
    }
    NodeLife& life = draft.out.nodes[node.index()];
    if (names_vendor_only(life.card) && !rows.card_model.empty()) life.card = rows.card_model;
    draft.device_ids.push_back(DeviceId{static_cast<std::uint32_t>(draft.out.devices.size())});
    const std::string profile = profile_of(rows);
    draft.out.devices.push_back(
        {.node = node,
         .uuid = rows.uuid,
         .instance = rows.instance,
         .profile = profile,
         .share = device_share(life, profile),
         .card_model = rows.card_model,
         .memory_peak = Bytes{static_cast<std::int64_t>(rows.memory_peak_mib * (1 << 20))},
         .exporter = rows.exporter_dialect,
         .memory = rows.memory});
  }
  check_twins(draft);
  cut_cards(draft);
  for (PodLife& pod : draft.out.pods) {  // pods that only rows know run where their devices are
    if (pod.source != PodSource::kDeviceRows) continue;
    for (std::size_t i = 0; i < draft.catalogue.devices.size() && !pod.node.valid(); ++i) {
      if (!draft.device_ids[i].valid()) continue;
      for (const Presence& p : draft.catalogue.devices[i].presences)
        if (p.pod == PodName{pod.ns, pod.name} &&
            draft.cluster_of(draft.catalogue.devices[i].cluster) == pod.cluster)
          pod.node = draft.out.devices[draft.device_ids[i].index()].node;
    }
  }
}

}  // namespace etiage::evidence
