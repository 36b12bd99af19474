#include "engines/dra/claim_book.h"

#include <algorithm>

namespace etiage::dra {
namespace {

constexpr std::size_t kMaxReservations = 256;

bool is_reserved_for(const ResourceClaim& claim, const Pod& pod) {
  return std::ranges::any_of(claim.reserved_for, [&](const ConsumerReference& r) {
    return r.name == pod.meta.name && r.uid == pod.meta.uid;
  });
}

}  // namespace

ClaimBook::ClaimBook(const DraObjects& objects, const Behaviour& behaviour, Ordering ordering)
    : objects_(&objects),
      behaviour_(behaviour),
      allocator_(behaviour, objects.slices, objects.taint_rules, objects.classes, ordering),
      in_use_(allocator_.nothing_in_use()) {
  for (const ResourceClaim& claim : objects.claims) {
    claims_.insert_or_assign(name_of(claim), claim);
    if (claim.allocation) in_use_.add(*claim.allocation, name_of(claim));
  }
}

std::expected<ClaimBook::Claims, std::string> ClaimBook::claims_of(const Pod& pod) {
  Claims out;
  for (const PodClaim& entry : pod.spec.claims) {
    const std::string name = entry.claim.empty() ? claim_made_for(pod, entry) : entry.claim;
    if (name.empty())
      return std::unexpected("pod \"" + pod.meta.ns + "/" + pod.meta.name +
                             "\": ResourceClaim not created yet");
    const auto found = claims_.find(pod.meta.ns + "/" + name);
    if (found == claims_.end())
      return std::unexpected("could not find ResourceClaim \"" + pod.meta.ns + "/" + name + "\"");
    if (found->second.meta.deleted) return std::unexpected("resourceclaim \"" + name + "\" is being deleted");
    out.push_back(&found->second);
  }
  return out;
}

ResourceClaim& ClaimBook::keep(ResourceClaim claim) {
  std::string name = name_of(claim);
  return claims_.insert_or_assign(std::move(name), std::move(claim)).first->second;
}

/// Its name; empty without template.
std::string ClaimBook::claim_made_for(const Pod& pod, const PodClaim& entry) {
  for (const auto& [pod_claim, claim] : pod.status.claim_names)
    if (pod_claim == entry.name && !claim.empty()) return claim;
  const std::string name = pod.meta.name + "-" + entry.name;
  if (claims_.contains(pod.meta.ns + "/" + name)) return name;
  const auto found = std::ranges::find_if(objects_->templates, [&](const ResourceClaimTemplate& t) {
    return t.meta.ns == pod.meta.ns && t.meta.name == entry.claim_template;
  });
  if (found == objects_->templates.end()) return {};
  ResourceClaim made;
  made.meta.ns = pod.meta.ns;
  made.meta.name = name;
  made.meta.place = found->meta.place;
  made.spec = found->spec;
  keep(std::move(made));
  return name;
}

std::string ClaimBook::refusal(const Pod& pod, const Claims& claims) const {
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

std::string ClaimBook::unusable(const ResourceClaim& claim, const DeviceRequest& request) const {
  const auto missing = [&](const DeviceAsk& ask) { return !allocator_.classes().contains(ask.device_class); };
  const auto absent = [](const std::string& name, const DeviceAsk& ask) {
    return "request " + name + ": device class " + ask.device_class + " does not exist";
  };
  const std::string where = "resource claim " + name_of(claim) + ", request " + request.name + ": ";
  if (request.exactly) return missing(*request.exactly) ? absent(request.name, *request.exactly) : "";
  if (request.first_available.empty()) return where + "unknown request type";
  if (!behaviour_.gates.prioritized_list)
    return where + "has subrequests, but the DRAPrioritizedList feature is disabled";
  for (const DeviceSubRequest& sub : request.first_available)
    if (missing(sub.ask)) return absent(request.name + "/" + sub.name, sub.ask);
  return {};
}

Attempt ClaimBook::try_node(const NodeIdentity& node, const std::vector<const ResourceClaim*>& claims) {
  std::vector<const ResourceClaim*> open;
  bool reachable = true;
  for (const ResourceClaim* claim : claims) {
    if (!claim->allocation) {
      open.push_back(claim);
    } else if (const auto& selector = claim->allocation->node_selector) {
      if (auto fault = selector_fault(*selector)) return {Attempt::Outcome::kFault, std::move(*fault), {}, 0};
      reachable &= matches(*selector, node);
    }
  }
  Attempt out{Attempt::Outcome::kAllocated, {}, {}, 0};
  if (!open.empty()) out = allocator_.allocate(node, open, in_use_);
  if (out.outcome == Attempt::Outcome::kNoFit) {
    out.message = "cannot allocate all claims";
  } else if (out.outcome == Attempt::Outcome::kAllocated && !reachable) {
    out.outcome = Attempt::Outcome::kNoFit;
    out.message = "resourceclaim not available on the node";
  }
  return out;
}

void ClaimBook::bind(const Pod& pod, const Claims& claims, std::vector<Allocation> allocations) {
  std::size_t next = 0;
  for (ResourceClaim* claim : claims) {
    if (!claim->allocation) {
      claim->allocation = std::move(allocations[next++]);
      in_use_.add(*claim->allocation, name_of(*claim));
    }
    if (!is_reserved_for(*claim, pod))
      claim->reserved_for.push_back({{}, "pods", pod.meta.name, pod.meta.uid});
  }
}

void ClaimBook::release(const Pod& pod) {
  for (auto& [name, claim] : claims_) {
    if (claim.meta.ns != pod.meta.ns || !is_reserved_for(claim, pod)) continue;
    std::erase_if(claim.reserved_for, [&](const ConsumerReference& r) {
      return r.name == pod.meta.name && r.uid == pod.meta.uid;
    });
    if (!claim.reserved_for.empty() || !claim.allocation) continue;
    in_use_.remove(*claim.allocation, name);
    claim.allocation.reset();
  }
}

DeviceCount ClaimBook::count(const DeviceClass& device_class, const NodeIdentity& node) {
  std::vector<SelectorAnswers::Handle> selectors;
  for (const DeviceSelector& s : device_class.selectors)
    if (s.cel) selectors.push_back(allocator_.answers().compile(*s.cel));
  DeviceCount out;
  for (const auto* list :
       {&allocator_.fleet().slices_of_node(node.name), &allocator_.fleet().slices_of_no_node()})
    for (const std::uint32_t s : *list)
      if (!count_slice(allocator_.fleet().slices()[s], selectors, node, out)) return {};
  return out;
}

/// False where a selector fails.
bool ClaimBook::count_slice(const FleetSlice& slice, const std::vector<SelectorAnswers::Handle>& selectors,
                            const NodeIdentity& node, DeviceCount& out) {
  const bool by_device = slice.object->per_device_node_selection.value_or(false);
  std::optional<std::string> fault;
  if (!by_device && !reaches(slice.object->reach, node, fault)) return !fault;
  for (std::uint32_t d = slice.first; d < slice.first + slice.count; ++d) {
    const FleetDevice& device = allocator_.fleet().devices()[d];
    if (by_device && !reaches(device.object->reach, node, fault)) {
      if (fault) return false;
      continue;
    }
    bool taken = true;
    for (const SelectorAnswers::Handle h : selectors) {
      if (!allocator_.answers().selector(h).ok()) return false;
      const cel::Outcome answer = allocator_.answers().ask(h, d);
      if (answer != cel::Outcome::kTrue && answer != cel::Outcome::kFalse) return false;
      taken &= answer == cel::Outcome::kTrue;
    }
    if (!taken) continue;
    ++out.all;
    out.taken += in_use_.is_dedicated(device.identity) || in_use_.has_shares(device.identity) ||
                 in_use_.consumed(device.identity) != nullptr;
  }
  return true;
}

}  // namespace etiage::dra
