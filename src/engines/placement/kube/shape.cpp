#include "engines/placement/kube/shape.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace etiage::placement {
namespace {

/// What a container without requests is taken to need when nodes are compared
/// (pkg/scheduler/util/pod_resources.go).
const Quantity kUnsaidCpu = Quantity::milli(100);
const Quantity kUnsaidMemory = Quantity::units(200 * 1024 * 1024);

const OwnerReference* controller_of(const Pod& pod) {
  const auto it = std::ranges::find_if(pod.meta.owners, &OwnerReference::controller);
  return it == pod.meta.owners.end() ? nullptr : &*it;
}

auto spec_parts(const PodSpec& s) {
  return std::tie(s.containers, s.init_containers, s.pod_requests, s.pod_limits, s.overhead, s.scheduler_name,
                  s.priority_class, s.preemption_policy, s.priority, s.node_selector, s.affinity,
                  s.tolerations, s.spread, s.claims, s.host_network);
}

/// A node sums the defaults only for what neither the pod nor any container names, once the pod level is set.
ResourceList unsaid_on_node(const PodSpec& spec, const ResourceList& requests) {
  ResourceList out{{"cpu", kUnsaidCpu}, {"memory", kUnsaidMemory}};
  if (spec.pod_requests && !spec.pod_requests->empty())
    std::erase_if(out, [&](const auto& item) { return requests.contains(item.first); });
  return out;
}

void add_ports(const std::vector<Container>& containers, bool sidecars_only, bool host_network,
               std::vector<HostPort>& out) {
  for (const Container& c : containers) {
    if (sidecars_only && !c.restart_always) continue;
    for (const ContainerPort& p : c.ports) {
      const std::int32_t port = p.host_port == 0 && host_network ? p.container_port : p.host_port;
      if (port > 0)
        out.push_back(
            {p.host_ip.empty() ? "0.0.0.0" : p.host_ip, p.protocol.empty() ? "TCP" : p.protocol, port});
    }
  }
}

}  // namespace

ResourceIndex ResourceNames::number(std::string_view name) {
  if (const auto known = find(name)) return *known;
  names_.emplace_back(name);
  return static_cast<ResourceIndex>(names_.size() - 1);
}

std::optional<ResourceIndex> ResourceNames::find(std::string_view name) const {
  const auto it = std::ranges::find(names_, name);
  if (it == names_.end()) return {};
  return static_cast<ResourceIndex>(it - names_.begin());
}

bool is_extended_resource(std::string_view name) {
  return name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos &&
         !name.starts_with("requests.");
}

bool is_scalar_resource(std::string_view name) {
  return is_extended_resource(name) || name.starts_with("hugepages-") ||
         name.starts_with("attachable-volumes-") || name.find("kubernetes.io/") != std::string_view::npos;
}

std::int64_t whole_amount(ResourceIndex resource, const Quantity& quantity) {
  return resource == kCpu ? quantity.milli_value() : quantity.value();
}

bool HostPort::conflicts(const HostPort& other) const {
  return port == other.port && protocol == other.protocol &&
         (ip == other.ip || ip == "0.0.0.0" || other.ip == "0.0.0.0");
}

std::int64_t PodShape::request(ResourceIndex resource) const {
  for (const auto& [r, amount] : requests)
    if (r == resource) return amount;
  return 0;
}

PodShape make_shape(const Pod& pod, ResourceNames& resources) {
  PodShape out{.example = pod};
  const ResourceList requests = effective_requests(pod.spec);
  for (const auto& [name, amount] : requests) {
    const auto fixed = name == "cpu" || name == "memory" || name == "ephemeral-storage";
    if (!fixed && !is_scalar_resource(name)) continue;
    const ResourceIndex r = resources.number(name);
    out.requests.emplace_back(r, whole_amount(r, amount));
  }
  ResourceList scored = effective_requests(pod.spec, unsaid_on_node(pod.spec, requests));
  out.scored_cpu = scored["cpu"].milli_value();
  out.scored_memory = scored["memory"].value();
  add_ports(pod.spec.init_containers, true, pod.spec.host_network, out.ports);
  add_ports(pod.spec.containers, false, pod.spec.host_network, out.ports);
  return out;
}

bool same_shape(const Pod& a, const Pod& b) {
  const OwnerReference *x = controller_of(a), *y = controller_of(b);
  return a.meta.ns == b.meta.ns && a.meta.labels == b.meta.labels && (x == nullptr) == (y == nullptr) &&
         (!x || *x == *y) && a.meta.deleted.has_value() == b.meta.deleted.has_value() &&
         spec_parts(a.spec) == spec_parts(b.spec);
}

std::size_t shape_hash(const Pod& pod) {
  std::size_t h = std::hash<std::string>{}(pod.meta.ns);
  const auto mix = [&h](std::size_t more) { h = (h ^ more) * 0x9E3779B97F4A7C15; };
  for (const auto& [key, value] : pod.meta.labels)
    mix(std::hash<std::string>{}(key)), mix(std::hash<std::string>{}(value));
  for (const Container& c : pod.spec.containers)
    for (const auto& [name, amount] : c.requests)
      mix(std::hash<std::string>{}(name)), mix(static_cast<std::size_t>(amount.nano()));
  mix(static_cast<std::size_t>(pod.spec.priority.value_or(0)));
  return h;
}

// kube-scheduler 1.37 leaves pod-level resources out here, though it counts them on the nodes.
ResourceList requests_for_scoring(const PodSpec& spec) {
  PodSpec containers_only = spec;
  containers_only.pod_requests.reset();
  containers_only.pod_limits.reset();
  return effective_requests(containers_only, {{"cpu", kUnsaidCpu}, {"memory", kUnsaidMemory}});
}

}  // namespace etiage::placement
