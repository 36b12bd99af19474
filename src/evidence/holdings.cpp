// Who held which share of which device, when (RULES.md 5, 7, 9).

#include <algorithm>
#include <map>
#include <set>

#include "catalog/mig_geometry.h"
#include "evidence/accelerators.h"
#include "evidence/claims.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// A device whose rows name a pod during one of its lives.
struct Tie {
  DeviceId device;
  Window rows;  ///< of its presences inside the life
};

std::map<std::uint32_t, std::vector<Tie>> ties(const Draft& draft) {
  std::map<std::uint32_t, std::vector<Tie>> out;
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i) {
    const DeviceRows& rows = draft.catalogue.devices[i];
    const DeviceId device = draft.device_ids[i];
    if (!device.valid()) continue;
    for (const Presence& p : rows.presences) {
      const auto [from, to] =
          draft.lives.equal_range({draft.cluster_of(rows.cluster), p.pod.first, p.pod.second});
      for (auto it = from; it != to; ++it) {
        const Window both = overlap({p.first, p.last + Duration{1}}, draft.out.pods[it->second.index()].life);
        if (both.empty()) continue;
        auto& list = out[it->second.value];
        const auto known = std::ranges::find(list, device, &Tie::device);
        if (known == list.end()) {
          list.push_back({device, {both.start, std::max(p.until, both.end)}});
        } else {
          known->rows = {std::min(known->rows.start, both.start), std::max(known->rows.end, p.until)};
        }
      }
    }
  }
  return out;
}

/// What one unit of the pod's request is of a card.
double unit_share(const Draft& draft, const NodeLife& node, PodId id, const DeviceDemand& asked) {
  if (!asked.profile.empty()) return catalog::mig_share(node.card, asked.profile);
  if (const auto mode = amd_mode(asked.resource); !mode.empty()) return 1.0 / amd_parts(node.card, mode);
  if (const auto& limit = draft.pods[id.index()].mps_limit; limit && node.sharing == Sharing::kMps)
    return *limit;
  // The replicas of a Neuron device are its cores; who asks for devices gets whole ones.
  if (node.sharing == Sharing::kWhole && !asked.resource.ends_with("neuroncore")) return 1;
  return 1.0 / node.replicas;
}

double device_share(const Draft& draft, const NodeLife& node, PodId pod, DeviceId device) {
  const DeviceLife& d = draft.out.devices[device.index()];
  return d.instance.empty() ? unit_share(draft, node, pod, draft.out.pods[pod.index()].devices) : d.share;
}

/// More devices than asked for: the pod moved from one to the next (a card failed); each is held while its
/// rows named it.
bool moved(const Draft& draft, PodId pod, const std::vector<Tie>& tied) {
  std::int64_t asked = 0;
  for (const DeviceDemand& d : draft.pods[pod.index()].demands) asked += d.count;
  return asked > 0 && std::ssize(tied) > asked;
}

/// The devices of a demand that no row names.
void hold_rest(Draft& draft, PodId pod, const DeviceDemand& asked, const std::vector<Tie>& tied,
               bool only_demand) {
  const PodLife& life = draft.pod(pod);
  const NodeLife& node = draft.out.nodes[life.node.index()];
  const auto known = only_demand ? std::ssize(tied) : std::ranges::count_if(tied, [&](const Tie& t) {
    return draft.out.devices[t.device.index()].profile == asked.profile;
  });
  const Window time = overlap(life.life, node.life);
  if (time.empty() && !draft.out.window.empty()) return;
  const double share = unit_share(draft, node, pod, asked);
  for (std::int64_t i = known; i < asked.count; ++i) {
    // Several slices of a shared card carry one row; the rest of a request is held on devices that no row
    // names.
    const bool same_card = node.replicas > 1 && known > 0 && node.cards <= known;
    const DeviceId device =
        same_card ? tied[static_cast<std::size_t>((i - known) % known)].device : DeviceId{};
    draft.out.holdings.push_back({pod, life.node, device, share, time, Grade::kDerived});
  }
}

void hold(Draft& draft, PodId pod, const std::vector<Tie>& tied) {
  const PodLife& life = draft.pod(pod);
  const NodeLife& node = draft.out.nodes[life.node.index()];
  for (const Tie& tie : tied) {
    const Window held = moved(draft, pod, tied) ? tie.rows : life.life;
    const Window time = overlap(overlap(held, life.life), node.life);
    if (!time.empty() || draft.out.window.empty())
      draft.out.holdings.push_back(
          {pod, life.node, tie.device, device_share(draft, node, pod, tie.device), time, Grade::kMeasured});
  }
  const auto& demands = draft.pods[pod.index()].demands;
  if (demands.size() < 2) return hold_rest(draft, pod, life.devices, tied, true);
  for (const DeviceDemand& asked : demands) hold_rest(draft, pod, asked, tied, false);
}

/// The device of that card and profile, if there is just one; a card that no row shows becomes a device of
/// its own.
DeviceId device_of(Draft& draft, NodeId node, const ClaimedDevice& c) {
  DeviceId found;
  for (std::uint32_t i = 0; i < draft.out.devices.size(); ++i) {
    const DeviceLife& d = draft.out.devices[i];
    if (d.node != node || d.uuid != c.uuid || d.profile != c.profile) continue;
    if (found.valid()) return {};
    found = {i};
  }
  if (found.valid() || c.uuid.empty() || !c.profile.empty()) return found;
  draft.out.devices.push_back({node, c.uuid, "", "", 1, draft.out.nodes[node.index()].card});
  return {static_cast<std::uint32_t>(draft.out.devices.size() - 1)};
}

void hold_claimed(Draft& draft, PodId pod, const std::vector<ClaimedDevice>& claimed) {
  const Window life = draft.pod(pod).life;
  const NodeId node = draft.pod(pod).node;
  const Window time = overlap(life, draft.out.nodes[node.index()].life);
  for (const ClaimedDevice& c : claimed) {
    const DeviceId device = device_of(draft, node, c);
    draft.out.holdings.push_back(
        {pod, node, device, c.share, time, device.valid() ? Grade::kMeasured : Grade::kDerived});
  }
}

/// Cards that reservation pods keep, by the group of pods that hold parts of them.
class ReservedCards {
 public:
  ReservedCards(const Draft& draft, const std::map<std::uint32_t, std::vector<Tie>>& ties) : draft_(draft) {
    for (std::uint32_t i = 0; i < draft.pods.size(); ++i) {
      const PodDraft& pod = draft.pods[i];
      if (pod.card_group.empty()) continue;
      if (!pod.parts.empty()) held_.insert(group(i));
      if (const auto it = ties.find(i); pod.reserves && it != ties.end())
        uuids_[group(i)] = draft.out.devices[it->second.front().device.index()].uuid;
    }
  }
  /// Whether it only keeps a card whose parts are held by others.
  bool stands_in(std::uint32_t pod) const { return draft_.pods[pod].reserves && held_.contains(group(pod)); }
  std::string uuid(std::uint32_t pod) const {
    const auto it = uuids_.find(group(pod));
    return it == uuids_.end() ? "" : it->second;
  }

 private:
  using Group = std::pair<std::string, std::string>;  // cluster, group
  Group group(std::uint32_t pod) const { return {draft_.out.pods[pod].cluster, draft_.pods[pod].card_group}; }

  const Draft& draft_;
  std::set<Group> held_;
  std::map<Group, std::string> uuids_;
};

std::vector<ClaimedDevice> as_claimed(const Draft& draft, std::uint32_t pod, const std::string& reserved) {
  const auto memory = draft.card_mib.find(draft.out.pods[pod].node);
  std::vector<ClaimedDevice> out;
  for (const CardPart& part : draft.pods[pod].parts)
    out.push_back({part.uuid.empty() ? reserved : part.uuid, "",
                   part.share(memory == draft.card_mib.end() ? 0 : memory->second)});
  return out;
}

}  // namespace

void add_holdings(Draft& draft) {
  const auto by_pod = ties(draft);
  const auto claims = claimed_devices(draft);
  const ReservedCards reserved(draft, by_pod);
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {
    if (!draft.out.pods[i].node.valid()) continue;
    if (const auto claimed = claims.find({i}); claimed != claims.end()) {
      hold_claimed(draft, {i}, claimed->second);
      draft.out.pods[i].devices = {"resource claim", claimed->second.front().profile,
                                   static_cast<std::int64_t>(claimed->second.size())};
      continue;
    }
    if (!draft.pods[i].parts.empty()) {
      hold_claimed(draft, {i}, as_claimed(draft, i, reserved.uuid(i)));
      continue;
    }
    if (reserved.stands_in(i)) continue;
    const auto it = by_pod.find(i);
    std::vector<Tie> tied = it == by_pod.end() ? std::vector<Tie>{} : it->second;
    std::ranges::sort(tied, {}, &Tie::device);
    if (!tied.empty() && draft.out.pods[i].devices.count == 0) {
      draft.out.pods[i].devices.count = static_cast<std::int64_t>(tied.size());
      draft.out.pods[i].devices.profile = draft.out.devices[tied.front().device.index()].profile;
    }
    hold(draft, PodId{i}, tied);
  }
}

}  // namespace etiage::evidence
