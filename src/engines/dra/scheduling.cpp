#include "engines/dra/scheduling.h"

#include <algorithm>
#include <expected>

#include "engines/dra/extended_resources.h"
#include "engines/dra/pod_nodes.h"

namespace etiage::dra {
namespace {

using Outcome = PodPlacement::Outcome;
constexpr std::size_t kMaxReservations = 256;

bool is_reserved_for(const ResourceClaim& claim, const Pod& pod) {
  return std::ranges::any_of(claim.reserved_for, [&](const ConsumerReference& r) {
    return r.name == pod.meta.name && r.uid == pod.meta.uid;
  });
}

/// Claims and holdings while pods are placed.
class Placing {
 public:
  Placing(const ClusterObjects& objects, const Behaviour& behaviour, Ordering ordering)
      : objects_(objects),
        b_(behaviour),
        allocator_(behaviour, objects.dra.slices, objects.dra.taint_rules, objects.dra.classes, ordering),
        in_use_(allocator_.nothing_in_use()) {
    for (const ResourceClaim& claim : objects.dra.claims) {
      claims_.insert_or_assign(name_of(claim), claim);
      if (claim.allocation) in_use_.add(*claim.allocation, name_of(claim));
    }
  }

  std::vector<PodPlacement> run() {
    std::vector<const Pod*> pods;
    for (const Pod& pod : objects_.pods)
      if (pod.spec.node_name.empty()) pods.push_back(&pod);
    std::ranges::stable_sort(pods, [](const Pod* a, const Pod* b) {
      const auto key = [](const Pod* p) {
        return std::pair(p->meta.created.value_or(Instant::min()), std::string_view(p->meta.name));
      };
      return key(a) < key(b);
    });
    std::vector<PodPlacement> out;
    for (const Pod* pod : pods) out.push_back(place(*pod));
    return out;
  }
  /// Of all searches so far.
  std::uint64_t steps() const { return steps_; }

 private:
  /// A pod's claims in the order of its spec; or why they are not there yet.
  std::expected<std::vector<ResourceClaim*>, std::string> claims_of(const Pod& pod) {
    std::vector<ResourceClaim*> out;
    for (const PodClaim& entry : pod.spec.claims) {
      const std::string name = entry.claim.empty() ? made_claim(pod, entry) : entry.claim;
      if (name.empty()) return std::unexpected("waiting for resource claim of " + entry.name);
      const auto found = claims_.find(pod.meta.ns + "/" + name);
      if (found == claims_.end())
        return std::unexpected("waiting for dynamic resource claim \"" + name + "\"");
      if (found->second.meta.deleted)
        return std::unexpected("resourceclaim \"" + name + "\" is being deleted");
      out.push_back(&found->second);
    }
    return out;
  }

  /// The name of the claim made from a template for this pod, which is made now where it is not there; empty
  /// without template.
  std::string made_claim(const Pod& pod, const PodClaim& entry) {
    for (const auto& [pod_claim, claim] : pod.status.claim_names)
      if (pod_claim == entry.name && !claim.empty()) return claim;
    const std::string name = pod.meta.name + "-" + entry.name;
    const std::string key = pod.meta.ns + "/" + name;
    if (claims_.contains(key)) return name;
    const auto found = std::ranges::find_if(objects_.dra.templates, [&](const ResourceClaimTemplate& t) {
      return t.meta.ns == pod.meta.ns && t.meta.name == entry.claim_template;
    });
    if (found == objects_.dra.templates.end()) return {};
    ResourceClaim made;
    made.meta.ns = pod.meta.ns;
    made.meta.name = name;
    made.meta.place = found->meta.place;
    made.spec = found->spec;
    claims_.emplace(key, std::move(made));
    return name;
  }

  PodPlacement place(const Pod& pod) {
    PodPlacement out{pod.meta.ns, pod.meta.name, Outcome::kPending, {}, {}, {}};
    const auto nodes = nodes_for(pod, objects_.nodes);
    if (nodes.empty()) {
      out.message = "node(s) didn't match Pod's node affinity/selector";
      return out;
    }
    const auto claims = claims_of(pod);
    out.message = claims ? prefilter(pod, *claims) : claims.error();
    if (!out.message.empty()) return out;
    for (const Node* node : nodes)
      if (!try_node(pod, *node, *claims, out)) break;
    return out;
  }

  /// Why the pod has to wait whatever the node; empty: it need not.
  std::string prefilter(const Pod& pod, const std::vector<ResourceClaim*>& claims) const {
    for (const ResourceClaim* claim : claims) {
      if (claim->allocation) {
        if (claim->reserved_for.size() >= kMaxReservations && !is_reserved_for(*claim, pod))
          return "resourceclaim in use";
        continue;
      }
      for (const DeviceRequest& request : claim->spec.requests)
        if (std::string why = unusable(*claim, request); !why.empty()) return why;
    }
    return {};
  }

  std::string unusable(const ResourceClaim& claim, const DeviceRequest& request) const {
    const auto missing = [&](const DeviceAsk& ask) {
      return !allocator_.classes().contains(ask.device_class);
    };
    const auto absent = [](const std::string& name, const DeviceAsk& ask) {
      return "request " + name + ": device class " + ask.device_class + " does not exist";
    };
    const std::string where = "resource claim " + name_of(claim) + ", request " + request.name + ": ";
    if (request.exactly) return missing(*request.exactly) ? absent(request.name, *request.exactly) : "";
    if (request.first_available.empty()) return where + "unknown request type";
    if (!b_.gates.prioritized_list)
      return where + "has subrequests, but the DRAPrioritizedList feature is disabled";
    for (const DeviceSubRequest& sub : request.first_available)
      if (missing(sub.ask)) return absent(request.name + "/" + sub.name, sub.ask);
    return {};
  }

  /// False: no other node need be tried.
  bool try_node(const Pod& pod, const Node& node, const std::vector<ResourceClaim*>& claims,
                PodPlacement& out) {
    const NodeIdentity identity{node.meta.name, node.meta.labels};
    auto extended = claim_for_extended_resources(pod, node, allocator_);
    if (!extended) return out.message = std::move(extended.error()), true;
    std::vector<const ResourceClaim*> open;
    bool reachable = true;
    for (const ResourceClaim* claim : claims) {
      if (!claim->allocation) {
        open.push_back(claim);
      } else if (const auto& selector = claim->allocation->node_selector) {
        if (auto fault = selector_fault(*selector)) return stop(out, std::move(*fault));
        reachable &= matches(*selector, identity);
      }
    }
    if (*extended) open.push_back(&**extended);
    Attempt attempt{Attempt::Outcome::kAllocated, {}, {}, 0};
    if (!open.empty()) attempt = allocator_.allocate(identity, open, in_use_);
    steps_ += attempt.steps;
    if (attempt.outcome == Attempt::Outcome::kFault) return stop(out, std::move(attempt.message));
    if (attempt.outcome != Attempt::Outcome::kAllocated || !reachable) {
      out.message = attempt.outcome == Attempt::Outcome::kUnfitNode ? attempt.message
                    : attempt.outcome == Attempt::Outcome::kNoFit   ? "cannot allocate all claims"
                                                                  : "resourceclaim not available on the node";
      return true;
    }
    std::vector<ResourceClaim*> all = claims;
    if (*extended) all.push_back(&claims_.insert_or_assign(name_of(**extended), **extended).first->second);
    bind(pod, node, all, std::move(attempt.allocations), out);
    return false;
  }

  static bool stop(PodPlacement& out, std::string why) {
    out.outcome = Outcome::kError;
    out.message = std::move(why);
    return false;
  }

  void bind(const Pod& pod, const Node& node, const std::vector<ResourceClaim*>& claims,
            std::vector<Allocation> allocations, PodPlacement& out) {
    out.outcome = Outcome::kAllocated;
    out.node = node.meta.name;
    out.message.clear();
    std::size_t next = 0;
    for (ResourceClaim* claim : claims) {
      if (!claim->allocation) {
        claim->allocation = std::move(allocations[next++]);
        in_use_.add(*claim->allocation, name_of(*claim));
      }
      if (!is_reserved_for(*claim, pod))
        claim->reserved_for.push_back({{}, "pods", pod.meta.name, pod.meta.uid});
      for (const AllocatedDevice& device : claim->allocation->devices)
        out.devices.push_back({claim->meta.name, device});
    }
  }

  const ClusterObjects& objects_;
  const Behaviour& b_;
  Allocator allocator_;
  InUse in_use_;
  std::map<std::string, ResourceClaim> claims_;
  std::uint64_t steps_ = 0;
};

/// Where the order of pools or slices is left to chance, so many orders are looked at.
constexpr std::uint64_t kOrders = 48;
/// No further orders once searches have taken so many steps.
constexpr std::uint64_t kStepsForOrders = 1'000'000;

bool chance_decides(const ClusterObjects& objects, const Behaviour& behaviour) {
  return !behaviour.pools_sorted && objects.dra.slices.size() > 1;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAllocated:
      return "allocated";
    case Outcome::kPending:
      return "pending";
    case Outcome::kError:
      return "error";
  }
  return "";
}

Placements place_pods(const ClusterObjects& objects, const Behaviour& behaviour) {
  Placing usual(objects, behaviour, {});
  Placements out{usual.run(), {}};
  if (!chance_decides(objects, behaviour)) return out;
  std::uint64_t steps = usual.steps();
  for (std::uint64_t seed = 1; seed <= kOrders && steps < kStepsForOrders; ++seed) {
    Placing placing(objects, behaviour, {seed});
    auto other = placing.run();
    steps += placing.steps();
    if (other != out.pods && std::ranges::find(out.alternatives, other) == out.alternatives.end())
      out.alternatives.push_back(std::move(other));
  }
  return out;
}

}  // namespace etiage::dra
