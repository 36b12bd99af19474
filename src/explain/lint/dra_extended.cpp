// Extended resources: what classes back, what device plugins serve as well, what nobody serves.

#include <algorithm>
#include <map>
#include <set>

#include "engines/dra/extended_resources.h"
#include "explain/lint/dra_rules.h"

namespace etiage::explain {
namespace {

const Node* first_server(const DraLint& lint, const std::string& resource) {
  const auto& nodes = lint.input.cluster.nodes;
  const auto serves = [&](const Node& node) {
    const auto amount = node.allocatable.find(resource);
    return amount != node.allocatable.end() && !amount->second.is_zero();
  };
  const auto found = std::ranges::find_if(nodes, serves);
  return found == nodes.end() ? nullptr : &*found;
}

void lint_collisions(DraLint& lint) {
  for (const DeviceClass& c : lint.input.cluster.dra.classes) {
    if (c.extended_resource_name.empty()) continue;
    if (const Node* node = first_server(lint, c.extended_resource_name))
      lint.add(Severity::kWarning, "dra-extended-resource-collision", c.meta, 0,
               "DeviceClass " + c.meta.name + ": a device plugin on node " + node->meta.name + " serves " +
                   c.extended_resource_name + " as well; there its devices are used, not this class");
  }
}

void lint_doubles(DraLint& lint) {
  for (const DeviceClass& c : lint.input.cluster.dra.classes) {
    if (c.extended_resource_name.empty()) continue;
    const DeviceClass* chosen = dra::class_for_resource(c.extended_resource_name, lint.allocator);
    if (chosen && chosen->meta.name != c.meta.name)
      lint.add(Severity::kWarning, "dra-extended-resource-twice", c.meta, 0,
               "DeviceClass " + c.meta.name + ": " + c.extended_resource_name + " is backed by " +
                   chosen->meta.name + " too, which wins: the newest class, then the first by name");
  }
}

void lint_asked(DraLint& lint, const Pod& pod, const std::string& resource) {
  constexpr std::string_view kImplicit = "deviceclass.resource.kubernetes.io/";
  const std::string who = "Pod " + pod.meta.name + " asks for " + resource;
  const DeviceClass* backing = dra::class_for_resource(resource, lint.allocator);
  const dra::Behaviour& b = lint.input.behaviour;
  if (!backing && resource.starts_with(kImplicit) && !b.early_extended_resources) {
    lint.add(Severity::kError, "dra-class-missing", pod.meta, 0,
             who + ", but there is no DeviceClass " + resource.substr(kImplicit.size()) + " in these files");
  } else if (backing && !b.gates.extended_resource && !first_server(lint, resource)) {
    lint.add(Severity::kWarning, "dra-gate-off", pod.meta, 0,
             who + ", which only DeviceClass " + backing->meta.name +
                 " backs, but DRAExtendedResource is off in 1." + std::to_string(b.version.minor));
  }
}

void lint_askers(DraLint& lint) {
  for (const Pod& pod : lint.input.cluster.pods) {
    std::set<std::string> asked;
    for (const auto* list : {&pod.spec.init_containers, &pod.spec.containers})
      for (const Container& container : *list)
        for (const ResourceList* amounts : {&container.requests, &container.limits})
          for (const auto& [resource, amount] : *amounts)
            if (!amount.is_zero()) asked.insert(resource);
    for (const std::string& resource : asked) lint_asked(lint, pod, resource);
  }
}

}  // namespace

void lint_extended_resources(DraLint& lint) {
  lint_collisions(lint);
  lint_doubles(lint);
  lint_askers(lint);
}

}  // namespace etiage::explain
