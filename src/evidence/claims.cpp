#include "evidence/claims.h"

#include <algorithm>
#include <set>

#include "catalog/mig_geometry.h"
#include "evidence/accelerators.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// The devices of one cluster by driver, pool and name; of several generations of a pool the newest.
class Fleet {
 public:
  explicit Fleet(const DraObjects& objects) {
    std::map<std::pair<std::string, std::string>, std::int64_t> newest;
    for (const ResourceSlice& s : objects.slices) {
      auto& generation = newest[{s.driver, s.pool.name}];
      generation = std::max(generation, s.pool.generation);
    }
    for (const ResourceSlice& s : objects.slices)
      if (s.pool.generation == newest[{s.driver, s.pool.name}])
        for (const Device& d : s.devices) devices_[{s.driver, s.pool.name, d.name}] = &d;
  }
  const Device* find(const AllocatedDevice& a) const {
    const auto it = devices_.find({a.driver, a.pool, a.device});
    return it == devices_.end() ? nullptr : it->second;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, const Device*> devices_;
};

/// The name without its domain.
std::string_view plain(std::string_view qualified) {
  const auto slash = qualified.rfind('/');
  return slash == std::string_view::npos ? qualified : qualified.substr(slash + 1);
}

/// An attribute by its name, whatever domain it stands in.
std::string attribute(const Device& device, std::string_view name) {
  for (const auto& [key, value] : device.attributes)
    if (plain(key) == name)
      if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

/// The part of the device that was consumed by amount: of its memory, else of what is used up the most.
double consumed_part(const Device& device, const AllocatedDevice& a) {
  double most = 0;
  for (const auto& [key, amount] : a.consumed)
    for (const auto& [name, capacity] : device.capacity) {
      if (plain(name) != plain(key) || capacity.value.amount.sign() <= 0) continue;
      const double part = std::min(1.0, amount.as_double() / capacity.value.amount.as_double());
      if (plain(key) == "memory") return part;
      most = std::max(most, part);
    }
  return most > 0 ? most : 1;
}

/// What one consumer of the claim holds of the device.
ClaimedDevice claimed(const Device* device, const AllocatedDevice& a, const ResourceClaim& claim,
                      const std::string& node_card) {
  ClaimedDevice out;
  const auto consumers = static_cast<double>(std::max<std::size_t>(claim.reserved_for.size(), 1));
  if (!device) return out.share = 1 / consumers, out;
  const std::string parent = attribute(*device, "parentUUID");
  out.uuid = parent.empty() ? attribute(*device, "uuid") : parent;
  out.profile = attribute(*device, "profile");
  const std::string product = attribute(*device, "productName");
  const std::string& card = product.empty() ? node_card : product;
  const int parts = amd_parts(card, attribute(*device, "partitionProfile"));
  const double whole = !out.profile.empty() ? catalog::mig_share(card, out.profile) : 1.0 / parts;
  out.share = whole * consumed_part(*device, a) / consumers;
  return out;
}

std::string claim_name(const Pod& pod, const PodClaim& claim) {
  for (const auto& [pod_claim, name] : pod.status.claim_names)
    if (pod_claim == claim.name) return name;
  return claim.claim;
}

/// The allocated claims of one cluster, by who has them.
class Claims {
 public:
  explicit Claims(const DraObjects& objects) {
    for (const ResourceClaim& claim : objects.claims) {
      if (!claim.allocation) continue;
      by_name_[{claim.meta.ns, claim.meta.name}] = &claim;
      for (const ConsumerReference& r : claim.reserved_for)
        by_consumer_[{claim.meta.ns, r.name, r.uid}].insert(&claim);
    }
  }
  /// Those that the pod's spec names, and those reserved for it: so is what the scheduler claims for extended
  /// resources.
  std::set<const ResourceClaim*> of(const Pod& pod) const {
    const auto reserved = by_consumer_.find({pod.meta.ns, pod.meta.name, pod.meta.uid});
    std::set<const ResourceClaim*> out;
    if (reserved != by_consumer_.end()) out = reserved->second;
    for (const PodClaim& wanted : pod.spec.claims)
      if (const auto it = by_name_.find({pod.meta.ns, claim_name(pod, wanted)}); it != by_name_.end())
        out.insert(it->second);
    return out;
  }

 private:
  std::map<std::pair<std::string, std::string>, const ResourceClaim*> by_name_;
  std::map<std::tuple<std::string, std::string, std::string>, std::set<const ResourceClaim*>> by_consumer_;
};

}  // namespace

std::map<PodId, std::vector<ClaimedDevice>> claimed_devices(const Draft& draft) {
  std::map<PodId, std::vector<ClaimedDevice>> out;
  for (const NamedCluster& c : draft.sources.clusters) {
    if (c.objects.dra.claims.empty()) continue;
    const Fleet fleet(c.objects.dra);
    const Claims claims(c.objects.dra);
    for (const Pod& pod : c.objects.pods) {
      const auto [from, to] = draft.lives.equal_range({draft.cluster_of(c.name), pod.meta.ns, pod.meta.name});
      const auto life = std::find_if(
          from, to, [&](const auto& l) { return draft.out.pods[l.second.index()].uid == pod.meta.uid; });
      if (life == to || !draft.out.pods[life->second.index()].node.valid()) continue;
      const std::string& card = draft.out.nodes[draft.out.pods[life->second.index()].node.index()].card;
      for (const ResourceClaim* claim : claims.of(pod))
        for (const AllocatedDevice& a : claim->allocation->devices)
          if (!a.admin_access) out[life->second].push_back(claimed(fleet.find(a), a, *claim, card));
    }
  }
  return out;
}

void add_sliced_cards(Draft& draft) {
  for (const NamedCluster& c : draft.sources.clusters) {
    std::map<std::string, std::set<std::string>> cards;
    std::map<std::string, std::string> product;
    for (const ResourceSlice& slice : c.objects.dra.slices)
      for (const Device& d : slice.devices) {
        const std::string parent = attribute(d, "parentUUID");
        const std::string uuid = parent.empty() ? attribute(d, "uuid") : parent;
        if (uuid.empty() || !slice.reach.node_name) continue;
        cards[*slice.reach.node_name].insert(uuid);
        product[*slice.reach.node_name] = attribute(d, "productName");
      }
    for (const auto& [name, uuids] : cards) {
      const std::string cluster = draft.cluster_of(c.name);
      const auto [it, added] = draft.nodes.try_emplace(
          {cluster, name}, NodeId{static_cast<std::uint32_t>(draft.out.nodes.size())});
      if (added) {
        draft.out.nodes.emplace_back();
        draft.out.nodes.back().cluster = cluster;
        draft.out.nodes.back().name = name;
        draft.out.nodes.back().life = draft.out.window;
      }
      NodeLife& node = draft.out.nodes[it->second.index()];
      node.cards = std::max(node.cards, static_cast<int>(uuids.size()));
      if (names_vendor_only(node.card)) node.card = product[name];
    }
  }
}

}  // namespace etiage::evidence
