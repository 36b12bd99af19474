#include "engines/placement/kube/pod_devices.h"

#include <algorithm>

#include "engines/dra/extended_resources.h"

namespace etiage::placement {
namespace {

/// An alternative counts for the more, the earlier it stands; a list holds so many at most.
constexpr std::int64_t kMostAlternatives = 8;

std::int64_t preference_of(const ResourceClaim& claim, const Allocation& allocation) {
  std::int64_t sum = 0;
  for (const DeviceRequest& request : claim.spec.requests)
    for (std::size_t i = 0; i < request.first_available.size(); ++i) {
      const std::string name = request.name + "/" + request.first_available[i].name;
      if (std::ranges::find(allocation.devices, name, &AllocatedDevice::request) != allocation.devices.end())
        sum += kMostAlternatives - static_cast<std::int64_t>(i);
    }
  return sum;
}

}  // namespace

PodDevices::PodDevices(dra::ClaimBook& book, const Snapshot& snapshot, PodIndex pod)
    : book_(&book), snapshot_(&snapshot), pod_(pod) {
  auto claims = book.claims_of(snapshot.pod(pod));
  if (!claims) {
    waits_for_ = claims.error();
    return;
  }
  claims_ = std::move(*claims);
  if (dra::asks_for_backed_resources(snapshot.pod(pod), book.allocator()))
    for (const auto& [resource, amount] : snapshot.shape_of(pod).requests)
      if (amount > 0)
        if (const DeviceClass* c =
                dra::class_for_resource(snapshot.resources().name(resource), book.allocator()))
          backed_.emplace_back(resource, c);
  if (std::string why = book.refusal(snapshot.pod(pod), claims_); !why.empty())
    refused_everywhere_ = Refusal{Plugin::kDynamicResources, {std::move(why)}, true};
}

bool PodDevices::is_claimed(ResourceIndex resource, const NodeInfo& node) const {
  return node.allocatable_of(resource) == 0 &&
         std::ranges::any_of(backed_, [&](const auto& b) { return b.first == resource; });
}

const PodDevices::Answer& PodDevices::answer(NodeIndex node) {
  const auto [it, fresh] = answers_.try_emplace(node);
  if (!fresh) return it->second;
  std::vector<const ResourceClaim*> claims(claims_.begin(), claims_.end());
  dra::Attempt& attempt = it->second.attempt;
  const Node& object = snapshot_->input().nodes[node];
  if (!backed_.empty()) {
    auto made = dra::claim_for_extended_resources(snapshot_->pod(pod_), object, book_->allocator());
    if (!made) {
      attempt.message = std::move(made.error());
      return it->second;
    }
    it->second.extended = std::move(*made);
  }
  if (it->second.extended) claims.push_back(&*it->second.extended);
  if (claims.empty())
    attempt.outcome = dra::Attempt::Outcome::kAllocated;
  else
    attempt = book_->try_node({object.meta.name, object.meta.labels}, claims);
  return it->second;
}

std::optional<Refusal> PodDevices::check(NodeIndex node) {
  const dra::Attempt& attempt = answer(node).attempt;
  if (attempt.outcome == dra::Attempt::Outcome::kAllocated) return {};
  if (attempt.outcome == dra::Attempt::Outcome::kFault && fault_.empty()) fault_ = attempt.message;
  return Refusal{Plugin::kDynamicResources, {attempt.message}, true};
}

std::int64_t PodDevices::preference(NodeIndex node) const {
  const auto it = answers_.find(node);
  if (it == answers_.end()) return 0;
  std::int64_t sum = 0;
  std::size_t next = 0;
  const auto& given = it->second.attempt.allocations;
  for (const ResourceClaim* claim : claims_)
    sum += preference_of(*claim, claim->allocation ? *claim->allocation : given[next++]);
  return sum;
}

dra::DeviceCount PodDevices::count(ResourceIndex resource, NodeIndex node) const {
  const Node& object = snapshot_->input().nodes[node];
  for (const auto& [r, device_class] : backed_)
    if (r == resource) return book_->count(*device_class, {object.meta.name, object.meta.labels});
  return {};
}

void PodDevices::bind(NodeIndex node) {
  if (idle()) return;
  Answer given = answer(node);
  if (given.extended) claims_.push_back(&book_->keep(std::move(*given.extended)));
  book_->bind(snapshot_->pod(pod_), claims_, std::move(given.attempt.allocations));
}

}  // namespace etiage::placement
