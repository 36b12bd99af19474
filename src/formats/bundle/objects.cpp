#include "formats/bundle/objects.h"

#include <algorithm>
#include <array>

#include "formats/bundle/container.h"
#include "formats/bundle/promql.h"
#include "formats/kube/cluster.h"

namespace etiage::formats::bundle {
namespace {

enum class Field : std::uint8_t {
  kKeep,        ///< numbers, times, words of Kubernetes
  kName,        ///< every text in it
  kContainer,   ///< a name of a container
  kLabels,      ///< a map of labels or annotations
  kResources,   ///< a map by names of resources, capacities or counters
  kAttributes,  ///< of a device
  kKey,         ///< a key of a label or taint, or a driver
  kWord,        ///< a word of Kubernetes where it has no domain (`Ready`, `apps/v1`)
  kKind,        ///< of a workload
  kMetric,      ///< a metric's name, or PromQL
  kCommand,     ///< a container with its words and its environment
};

struct Rule {
  std::string_view kinds;  ///< separated by blanks; empty: every kind that is read
  std::string_view path;   ///< `[]` steps into a list
  Field field;
};

/// What is not named here is left out. `metadata` and owners are treated apart.
constexpr auto kRules = std::to_array<Rule>({
    {"", "apiVersion", Field::kWord},
    {"", "kind", Field::kKeep},
    {"", "metadata.uid", Field::kName},
    {"", "metadata.labels", Field::kLabels},
    {"", "metadata.creationTimestamp", Field::kKeep},
    {"", "metadata.deletionTimestamp", Field::kKeep},
    {"", "metadata.generation", Field::kKeep},
    {"", "metadata.ownerReferences[].uid", Field::kName},
    {"", "metadata.ownerReferences[].controller", Field::kKeep},

    {"Node", "spec.unschedulable", Field::kKeep},
    {"Node", "spec.providerID", Field::kName},
    {"Node", "spec.taints[].key", Field::kKey},
    {"Node", "spec.taints[].value", Field::kName},
    {"Node", "spec.taints[].effect", Field::kKeep},
    {"Node", "spec.taints[].timeAdded", Field::kKeep},
    {"Node", "status.capacity", Field::kResources},
    {"Node", "status.allocatable", Field::kResources},

    {"Node Pod", "status.conditions[].type", Field::kWord},
    {"Node Pod", "status.conditions[].status", Field::kKeep},
    {"Node Pod", "status.conditions[].reason", Field::kKeep},
    {"Node Pod", "status.conditions[].lastTransitionTime", Field::kKeep},

    {"Pod", "spec.nodeName", Field::kName},
    {"Pod", "spec.nodeSelector", Field::kLabels},
    {"Pod", "spec.hostNetwork", Field::kKeep},
    {"Pod", "spec.overhead", Field::kResources},
    {"Pod", "spec.resources.requests", Field::kResources},
    {"Pod", "spec.resources.limits", Field::kResources},
    {"Pod", "spec.containers[]", Field::kCommand},
    {"Pod", "spec.initContainers[]", Field::kCommand},
    {"Pod", "spec.tolerations[].key", Field::kKey},
    {"Pod", "spec.tolerations[].operator", Field::kKeep},
    {"Pod", "spec.tolerations[].value", Field::kName},
    {"Pod", "spec.tolerations[].effect", Field::kKeep},
    {"Pod", "spec.tolerations[].tolerationSeconds", Field::kKeep},
    {"Pod", "spec.resourceClaims[]", Field::kName},
    {"Pod", "spec.priority", Field::kKeep},
    {"Pod", "spec.priorityClassName", Field::kName},
    {"Pod", "spec.schedulingGates[].name", Field::kName},
    {"Pod", "status.phase", Field::kKeep},
    {"Pod", "status.startTime", Field::kKeep},
    {"Pod", "status.nominatedNodeName", Field::kName},
    {"Pod", "status.podIP", Field::kName},
    {"Pod", "status.hostIP", Field::kName},
    {"Pod", "status.resourceClaimStatuses[]", Field::kName},
    {"Pod", "status.containerStatuses[].name", Field::kContainer},
    {"Pod", "status.containerStatuses[].ready", Field::kKeep},
    {"Pod", "status.containerStatuses[].restartCount", Field::kKeep},
    {"Pod", "status.containerStatuses[].state.*.startedAt", Field::kKeep},
    {"Pod", "status.containerStatuses[].state.*.finishedAt", Field::kKeep},
    {"Pod", "status.containerStatuses[].state.*.reason", Field::kKeep},
    {"Pod", "status.containerStatuses[].lastState.*.startedAt", Field::kKeep},
    {"Pod", "status.containerStatuses[].lastState.*.finishedAt", Field::kKeep},
    {"Pod", "status.containerStatuses[].lastState.*.reason", Field::kKeep},

    {"HorizontalPodAutoscaler ScaledObject", "spec.scaleTargetRef.kind", Field::kKind},
    {"HorizontalPodAutoscaler ScaledObject", "spec.scaleTargetRef.name", Field::kName},
    {"HorizontalPodAutoscaler", "spec.minReplicas", Field::kKeep},
    {"HorizontalPodAutoscaler", "spec.maxReplicas", Field::kKeep},
    {"HorizontalPodAutoscaler", "spec.targetCPUUtilizationPercentage", Field::kKeep},
    {"HorizontalPodAutoscaler", "spec.metrics[].type", Field::kKeep},
    {"HorizontalPodAutoscaler", "spec.metrics[].*.metric.name", Field::kMetric},
    {"HorizontalPodAutoscaler", "spec.metrics[].*.name", Field::kMetric},
    {"HorizontalPodAutoscaler", "spec.metrics[].*.metricName", Field::kMetric},
    {"HorizontalPodAutoscaler", "spec.metrics[].*.target", Field::kKeep},
    {"HorizontalPodAutoscaler", "spec.metrics[].*.targetAverageUtilization", Field::kKeep},
    {"HorizontalPodAutoscaler", "spec.metrics[].*.targetAverageValue", Field::kKeep},
    {"ScaledObject", "spec.minReplicaCount", Field::kKeep},
    {"ScaledObject", "spec.maxReplicaCount", Field::kKeep},
    {"ScaledObject", "spec.triggers[].type", Field::kKeep},
    {"ScaledObject", "spec.triggers[].metadata.metricName", Field::kMetric},
    {"ScaledObject", "spec.triggers[].metadata.query", Field::kMetric},
    {"ScaledObject", "spec.triggers[].metadata.threshold", Field::kKeep},
    {"ScaledObject", "spec.triggers[].metadata.value", Field::kKeep},
    {"ScaledObject", "spec.triggers[].metadata.targetValue", Field::kKeep},

    {"PrometheusRule", "spec.groups[].name", Field::kName},
    {"PrometheusRule", "spec.groups[].rules[].record", Field::kMetric},
    {"PrometheusRule", "spec.groups[].rules[].alert", Field::kName},
    {"PrometheusRule", "spec.groups[].rules[].expr", Field::kMetric},

    {"ResourceSlice", "spec.driver", Field::kKey},
    {"ResourceSlice", "spec.nodeName", Field::kName},
    {"ResourceSlice", "spec.allNodes", Field::kKeep},
    {"ResourceSlice", "spec.pool.name", Field::kName},
    {"ResourceSlice", "spec.pool.generation", Field::kKeep},
    {"ResourceSlice", "spec.pool.resourceSliceCount", Field::kKeep},
    {"ResourceSlice", "spec.devices[].name", Field::kName},
    {"ResourceSlice", "spec.devices[].attributes", Field::kAttributes},
    {"ResourceSlice", "spec.devices[].capacity", Field::kResources},
    {"ResourceSlice", "spec.devices[].nodeName", Field::kName},
    {"ResourceSlice", "spec.devices[].allowMultipleAllocations", Field::kKeep},
    {"ResourceSlice", "spec.devices[].basic.attributes", Field::kAttributes},
    {"ResourceSlice", "spec.devices[].basic.capacity", Field::kResources},

    {"ResourceClaim", "spec.devices.requests[].name", Field::kName},
    {"ResourceClaim", "spec.devices.requests[].exactly.deviceClassName", Field::kKey},
    {"ResourceClaim", "spec.devices.requests[].exactly.allocationMode", Field::kKeep},
    {"ResourceClaim", "spec.devices.requests[].exactly.count", Field::kKeep},
    {"ResourceClaim", "spec.devices.requests[].exactly.adminAccess", Field::kKeep},
    {"ResourceClaim", "spec.devices.requests[].deviceClassName", Field::kKey},
    {"ResourceClaim", "spec.devices.requests[].count", Field::kKeep},
    {"ResourceClaim", "status.allocation.allocationTimestamp", Field::kKeep},
    {"ResourceClaim", "status.allocation.devices.results[].request", Field::kName},
    {"ResourceClaim", "status.allocation.devices.results[].driver", Field::kKey},
    {"ResourceClaim", "status.allocation.devices.results[].pool", Field::kName},
    {"ResourceClaim", "status.allocation.devices.results[].device", Field::kName},
    {"ResourceClaim", "status.allocation.devices.results[].adminAccess", Field::kKeep},
    {"ResourceClaim", "status.allocation.devices.results[].shareID", Field::kName},
    {"ResourceClaim", "status.allocation.devices.results[].consumedCapacity", Field::kResources},
    {"ResourceClaim", "status.reservedFor[].resource", Field::kKeep},
    {"ResourceClaim", "status.reservedFor[].name", Field::kName},
    {"ResourceClaim", "status.reservedFor[].uid", Field::kName},
});

constexpr std::string_view kReadKinds[] = {"Node",          "Pod",           "Namespace",
                                           "ResourceSlice", "ResourceClaim", "HorizontalPodAutoscaler",
                                           "ScaledObject",  "PrometheusRule"};
constexpr std::string_view kWholeCluster[] = {"Node", "Namespace", "ResourceSlice"};

/// Attributes of devices whose texts are words of their maker.
constexpr std::string_view kPublicAttributes[] = {"productName", "brand", "architecture", "type",
                                                  "profile",     "model", "family"};

/// Annotations that say how cards are parted and which of them a pod was given; the rest is left out.
constexpr std::string_view kReadAnnotations[] = {"hami.io/vgpu-devices-allocated",
                                                 "hami.io/vgpu-devices-to-allocate",
                                                 "hami.io/node-nvidia-register",
                                                 "gpu-fraction",
                                                 "gpu-memory",
                                                 "gpu-fraction-num-devices"};

/// Words of HAMi's lists of devices, in both of their forms.
constexpr std::string_view kDeviceListWords[] = {"",        "id",   "index", "count", "devmem",
                                                 "devcore", "type", "numa",  "mode",  "hami-core",
                                                 "health",  "true", "false", "mig",   "mps"};

bool contains(const auto& list, std::string_view word) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

bool of_kind(const Rule& rule, std::string_view kind) {
  for (std::string_view kinds = rule.kinds; !kinds.empty();) {
    const auto blank = std::min(kinds.find(' '), kinds.size());
    if (kinds.substr(0, blank) == kind) return true;
    kinds.remove_prefix(std::min(blank + 1, kinds.size()));
  }
  return rule.kinds.empty();
}

/// The names of an object: those of a ReplicaSet tell its Deployment.
NameOf name_of_kind(std::string_view kind) {
  return kind == "ReplicaSet" ? NameOf::kReplicaSet : kind == "Pod" ? NameOf::kContainer : NameOf::kAnything;
}

/// The rules that still fit below a path, with what is left of their paths.
struct Left {
  std::string_view path;
  Field field;
};
using Rules = std::vector<Left>;

/// What is left of `path` behind its first step, where that is `step` or a star.
std::optional<std::string_view> behind(std::string_view path, std::string_view step) {
  const auto end = std::min(path.find_first_of(".["), path.size());
  if (path.substr(0, end) != step && path.substr(0, end) != "*") return {};
  path.remove_prefix(end);
  return path.starts_with('.') ? path.substr(1) : path;
}

class Disguise {
 public:
  Disguise(const KeptKeys& kept, const Rename& rename) : kept_(kept), rename_(rename) {}

  Tree fields(const Tree& tree, const Rules& rules) const {
    if (tree.is_sequence()) {
      Rules inside;
      for (const Left& l : rules)
        if (l.path.starts_with("[]"))
          inside.push_back({l.path.substr(l.path.starts_with("[].") ? 3 : 2), l.field});
      Tree out = Tree::sequence();
      for (const Tree& item : tree.items()) out.push(step(item, inside));
      return out;
    }
    Tree out = Tree::map();
    for (const auto& [key, value] : tree.members()) {
      Rules inside;
      for (const Left& l : rules)
        if (const auto path = behind(l.path, key)) inside.push_back({*path, l.field});
      if (!inside.empty()) out.set(key, step(value, inside));
    }
    return out;
  }

  Tree meta(const Tree& object, std::string_view kind, Tree out) const {
    const Tree& from = object["metadata"];
    Tree meta = out["metadata"].is_map() ? out["metadata"] : Tree::map();
    meta.set("name", text(from["name"], name_of_kind(kind)));
    if (!contains(kWholeCluster, kind))
      meta.set("namespace", from.has("namespace") ? text(from["namespace"], NameOf::kAnything)
                                                  : Tree::string(rename_("default", NameOf::kAnything)));
    Tree annotations = Tree::map();
    for (const auto& [key, value] : from["annotations"].members())
      if (contains(kReadAnnotations, key)) annotations.set(key, Tree::string(device_list(value.text())));
    if (!annotations.members().empty()) meta.set("annotations", std::move(annotations));
    if (Tree* owners = meta.find("ownerReferences")) *owners = owner_references(from["ownerReferences"]);
    out.set("metadata", std::move(meta));
    return out;
  }

 private:
  Tree step(const Tree& value, const Rules& rules) const {
    for (const Left& l : rules)
      if (l.path.empty()) return apply(l.field, value);
    return value.is_map() || value.is_sequence() ? fields(value, rules) : Tree::null();
  }

  /// `GPU-3b1a,NVIDIA,10240,30:;`, or JSON: only the cards' ids are names.
  std::string device_list(std::string_view text) const {
    constexpr std::string_view kBetween = ",:;[]{}\" ";
    std::string out;
    while (!text.empty()) {
      const auto end = std::min(text.find_first_of(kBetween), text.size());
      const std::string_view word = text.substr(0, end);
      const bool id = word.starts_with("GPU-") || word.starts_with("MIG-");
      out += id ? rename_(word, NameOf::kAnything) : std::string(word);
      if (end < text.size()) out += text[end];
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  }

  Tree owner_references(const Tree& owners) const {
    Tree out = Tree::sequence();
    for (const Tree& owner : owners.items()) {
      Tree one = fields(owner, {{"uid", Field::kName}, {"controller", Field::kKeep}});
      one.set("kind", Tree::string(disguised_kind(owner["kind"].text(), rename_)));
      one.set("name", text(owner["name"], name_of_kind(owner["kind"].text())));
      out.push(std::move(one));
    }
    return out;
  }

  Tree apply(Field field, const Tree& value) const {
    switch (field) {
      case Field::kKeep:
        return value;
      case Field::kName:
        return names(value, NameOf::kAnything);
      case Field::kContainer:
        return names(value, NameOf::kContainer);
      case Field::kKey:
        return Tree::string(disguised_key(value.text(), kept_, rename_));
      case Field::kWord:
        return Tree::string(word_or_name(value.text()));
      case Field::kLabels:
        return labels(value);
      case Field::kResources:
        return resources(value);
      case Field::kAttributes:
        return attributes(value);
      case Field::kKind:
        return Tree::string(disguised_kind(value.text(), rename_));
      case Field::kMetric:
        return Tree::string(disguised_promql(value.text(), rename_));
      case Field::kCommand:
        return command(value);
    }
    return {};
  }

  Tree text(const Tree& value, NameOf what) const { return Tree::string(rename_(value.text(), what)); }

  Tree names(const Tree& value, NameOf what) const {
    if (value.is_string()) return text(value, what);
    if (!value.is_map() && !value.is_sequence()) return value;
    Tree out = value;
    if (value.is_sequence()) out = Tree::sequence();
    for (const Tree& item : value.items()) out.push(names(item, what));
    for (const auto& [key, item] : value.members()) out.set(key, names(item, what));
    return out;
  }

  /// What has no domain (`Ready`, `apps/v1`) is a word of Kubernetes.
  std::string word_or_name(std::string_view key) const {
    return key.substr(0, key.find('/')).contains('.') ? disguised_key(key, kept_, rename_) : std::string(key);
  }

  Tree labels(const Tree& value) const {
    Tree out = Tree::map();
    for (const auto& [key, item] : value.members())
      out.set(disguised_key(key, kept_, rename_),
              item.is_scalar() ? Tree::string(disguised_value(key, item.text(), rename_)) : Tree::null());
    return out;
  }

  Tree resources(const Tree& value) const {
    Tree out = Tree::map();
    for (const auto& [key, item] : value.members()) {
      const Tree& amount = item.is_map() ? item["value"] : item;
      out.set(word_or_name(key), item.is_map() ? Tree::map({{"value", amount}}) : amount);
    }
    return out;
  }

  Tree attributes(const Tree& value) const {
    Tree out = Tree::map();
    for (const auto& [key, item] : value.members()) {
      const std::string_view plain = std::string_view(key).substr(key.rfind('/') + 1);
      const bool stays = contains(kPublicAttributes, plain) || item.has("version");
      out.set(word_or_name(key), stays ? item : names(item, NameOf::kAnything));
    }
    return out;
  }

  Tree command(const Tree& container) const {
    Tree out = fields(container, {{"name", Field::kContainer},
                                  {"image", Field::kName},
                                  {"restartPolicy", Field::kKeep},
                                  {"ports[].containerPort", Field::kKeep},
                                  {"resources.requests", Field::kResources},
                                  {"resources.limits", Field::kResources},
                                  {"resources.claims[].name", Field::kName},
                                  {"resources.claims[].request", Field::kName}});
    if (Tree words = disguised_arguments(container, rename_); !words.items().empty())
      out.set("args", std::move(words));
    if (Tree env = disguised_environment(container["env"], rename_); !env.items().empty())
      out.set("env", std::move(env));
    return out;
  }

  const KeptKeys& kept_;
  const Rename& rename_;
};

}  // namespace

std::optional<Tree> disguised_object(const Tree& object, const KeptKeys& kept, const Rename& rename) {
  const std::string& kind = object["kind"].text();
  if (!contains(kReadKinds, kind) && !owns_pods(kind)) return {};
  Rules rules;
  for (const Rule& rule : kRules)
    if (of_kind(rule, kind)) rules.push_back({rule.path, rule.field});
  const Disguise disguise(kept, rename);
  return disguise.meta(object, kind, disguise.fields(object, rules));
}

}  // namespace etiage::formats::bundle
