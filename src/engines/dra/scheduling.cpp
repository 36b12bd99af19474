#include "engines/dra/scheduling.h"

#include <algorithm>

#include "engines/dra/claim_book.h"
#include "engines/dra/extended_resources.h"
#include "engines/dra/pod_nodes.h"

namespace etiage::dra {
namespace {

using Outcome = PodPlacement::Outcome;
/// Claims and holdings while pods are placed.
class Placing {
 public:
  Placing(const ClusterObjects& objects, const Behaviour& behaviour, Ordering ordering)
      : objects_(objects), book_(objects.dra, behaviour, ordering) {}

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
  PodPlacement place(const Pod& pod) {
    PodPlacement out{pod.meta.ns, pod.meta.name, Outcome::kPending, {}, {}, {}};
    const auto nodes = nodes_for(pod, objects_.nodes);
    if (nodes.empty()) {
      out.message = "node(s) didn't match Pod's node affinity/selector";
      return out;
    }
    const auto claims = book_.claims_of(pod);
    out.message = claims ? book_.refusal(pod, *claims) : claims.error();
    if (!out.message.empty()) return out;
    for (const Node* node : nodes)
      if (!try_node(pod, *node, *claims, out)) break;
    return out;
  }

  /// False: no other node need be tried.
  bool try_node(const Pod& pod, const Node& node, const ClaimBook::Claims& claims, PodPlacement& out) {
    auto extended = claim_for_extended_resources(pod, node, book_.allocator());
    if (!extended) return out.message = std::move(extended.error()), true;
    std::vector<const ResourceClaim*> needed(claims.begin(), claims.end());
    if (*extended) needed.push_back(&**extended);
    Attempt attempt = book_.try_node({node.meta.name, node.meta.labels}, needed);
    steps_ += attempt.steps;
    if (attempt.outcome != Attempt::Outcome::kAllocated) {
      out.message = std::move(attempt.message);
      if (attempt.outcome != Attempt::Outcome::kFault) return true;
      out.outcome = Outcome::kError;
      return false;
    }
    ClaimBook::Claims bound = claims;
    if (*extended) bound.push_back(&book_.keep(std::move(**extended)));
    book_.bind(pod, bound, std::move(attempt.allocations));
    out.outcome = Outcome::kAllocated;
    out.node = node.meta.name;
    out.message.clear();
    for (const ResourceClaim* claim : bound)
      for (const AllocatedDevice& device : claim->allocation->devices)
        out.devices.push_back({claim->meta.name, device});
    return false;
  }

  const ClusterObjects& objects_;
  ClaimBook book_;
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
