// Who held which share of which device, when (RULES.md 5, 7, 9).

#include <algorithm>

#include "catalog/mig_geometry.h"
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
double unit_share(const Draft& draft, const NodeLife& node, PodId id) {
  const PodLife& pod = draft.out.pods[id.index()];
  if (!pod.devices.profile.empty()) return catalog::mig_share(node.card, pod.devices.profile);
  if (const auto& limit = draft.pods[id.index()].mps_limit; limit && node.sharing == Sharing::kMps)
    return *limit;
  return 1.0 / node.replicas;
}

double device_share(const Draft& draft, const NodeLife& node, PodId pod, DeviceId device) {
  const DeviceLife& d = draft.out.devices[device.index()];
  return d.instance.empty() ? unit_share(draft, node, pod) : d.share;
}

/// More devices than asked for: the pod moved from one to the next (a card failed); each is held while its
/// rows named it.
bool moved(const PodLife& pod, const std::vector<Tie>& tied) {
  return pod.devices.count > 0 && static_cast<std::int64_t>(tied.size()) > pod.devices.count;
}

void hold(Draft& draft, PodId pod, const std::vector<Tie>& tied) {
  const PodLife& life = draft.pod(pod);
  const NodeLife& node = draft.out.nodes[life.node.index()];
  const auto add = [&](DeviceId device, double share, Window time, Grade grade) {
    time = overlap(overlap(time, life.life), node.life);
    if (!time.empty() || draft.out.window.empty())
      draft.out.holdings.push_back({pod, life.node, device, share, time, grade});
  };
  for (const Tie& tie : tied)
    add(tie.device, device_share(draft, node, pod, tie.device), moved(life, tied) ? tie.rows : life.life,
        Grade::kMeasured);
  const auto known = static_cast<std::int64_t>(tied.size());
  if (known >= life.devices.count) return;
  const double share = unit_share(draft, node, pod);
  for (std::int64_t i = known; i < life.devices.count; ++i) {
    // Several slices of a shared card carry one row; the rest of a request is held on devices that no row
    // names.
    const bool same_card = node.replicas > 1 && known > 0 && node.cards <= known;
    add(same_card ? tied[static_cast<std::size_t>((i - known) % known)].device : DeviceId{}, share, life.life,
        Grade::kDerived);
  }
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
  draft.pod(pod).devices = {"resource claim", claimed.front().profile,
                            static_cast<std::int64_t>(claimed.size())};
}

}  // namespace

void add_holdings(Draft& draft) {
  const auto by_pod = ties(draft);
  const auto claims = claimed_devices(draft);
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {
    if (!draft.out.pods[i].node.valid()) continue;
    if (const auto claimed = claims.find({i}); claimed != claims.end()) {
      hold_claimed(draft, {i}, claimed->second);
      continue;
    }
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
