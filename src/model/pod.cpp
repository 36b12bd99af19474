#include "model/pod.h"

#include <algorithm>
#include <string_view>

namespace etiage {
namespace {

void add(ResourceList& into, const ResourceList& more) {
  for (const auto& [name, amount] : more) into[name] += amount;
}

void raise(ResourceList& into, const ResourceList& least) {
  for (const auto& [name, amount] : least) {
    const auto [it, fresh] = into.try_emplace(name, amount);
    if (!fresh) it->second = std::max(it->second, amount);
  }
}

/// `insert` keeps what is there already.
ResourceList container_requests(const Container& container, const ResourceList& unsaid) {
  ResourceList out = container.requests;
  out.insert(container.limits.begin(), container.limits.end());
  out.insert(unsaid.begin(), unsaid.end());
  return out;
}

/// Init containers run one after the other, each beside the sidecars that were started before it.
ResourceList all_containers(const PodSpec& spec, const ResourceList& unsaid) {
  ResourceList running, sidecars, starting;
  for (const Container& c : spec.containers) add(running, container_requests(c, unsaid));
  for (const Container& c : spec.init_containers) {
    ResourceList now = container_requests(c, unsaid);
    if (c.restart_always) {
      add(running, now);
      add(sidecars, now);
      now = sidecars;
    } else {
      add(now, sidecars);
    }
    raise(starting, now);
  }
  raise(running, starting);
  return running;
}

bool is_huge_page(std::string_view resource) {
  return resource.starts_with("hugepages-");
}
bool has_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || is_huge_page(resource);
}

/// With pod-level limits and no request of the kind, the API server fills in what the containers ask for,
/// else the limit.
ResourceList pod_level_requests(const PodSpec& spec) {
  ResourceList out = spec.pod_requests.value_or(ResourceList{});
  if (!spec.pod_limits || spec.pod_limits->empty()) return out;
  for (const auto& [name, amount] : all_containers(spec, {}))
    if (has_pod_level(name) && !is_huge_page(name)) out.try_emplace(name, amount);
  out.insert(spec.pod_limits->begin(), spec.pod_limits->end());
  return out;
}

}  // namespace

ResourceList effective_requests(const PodSpec& spec, const ResourceList& unsaid) {
  ResourceList out = all_containers(spec, unsaid);
  for (const auto& [name, amount] : pod_level_requests(spec))
    if (has_pod_level(name)) out.insert_or_assign(name, amount);
  add(out, spec.overhead);
  return out;
}

}  // namespace etiage
