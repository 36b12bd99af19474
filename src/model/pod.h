#pragma once
// Pods: what they ask for, where they run, how their lives went.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/meta.h"

namespace etiage {

struct ContainerPort {
  std::int32_t container_port = 0, host_port = 0;
  std::string host_ip, protocol = "TCP";

  bool operator==(const ContainerPort&) const = default;
};

/// One claim of `resources.claims`: a name in the pod's resourceClaims, and a request inside it (empty: all).
struct ContainerClaim {
  std::string name, request;

  bool operator==(const ContainerClaim&) const = default;
};

struct Container {
  std::string name, image;
  std::vector<std::string> command, args;
  std::vector<std::pair<std::string, std::string>> env;  ///< plain values only
  ResourceList requests;  ///< as written; defaults from limits are applied by `effective_requests`
  ResourceList limits;
  std::vector<ContainerClaim> claims;
  std::vector<ContainerPort> ports;
  bool restart_always = false;  ///< a sidecar: an init container that keeps running

  bool operator==(const Container&) const = default;
};

/// An entry of `spec.resourceClaims`: one of the two names is given.
struct PodClaim {
  std::string name, claim, claim_template;

  bool operator==(const PodClaim&) const = default;
};

struct WeightedNodeTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm term;

  bool operator==(const WeightedNodeTerm&) const = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> selector;
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;
  std::string topology_key;
  std::vector<std::string> match_label_keys, mismatch_label_keys;
  std::int32_t weight = 0;  ///< of a preferred term

  bool operator==(const PodAffinityTerm&) const = default;
};

struct Affinity {
  std::optional<NodeSelector> node_required;
  std::vector<WeightedNodeTerm> node_preferred;
  std::vector<PodAffinityTerm> pod_required, pod_preferred;
  std::vector<PodAffinityTerm> anti_required, anti_preferred;

  bool operator==(const Affinity&) const = default;
};

struct TopologySpreadConstraint {
  std::int32_t max_skew = 1;
  std::string topology_key;
  bool do_not_schedule = true;  ///< whenUnsatisfiable: DoNotSchedule, else ScheduleAnyway
  std::optional<LabelSelector> selector;
  std::optional<std::int32_t> min_domains;
  bool honor_node_affinity = true;
  bool honor_node_taints = false;
  std::vector<std::string> match_label_keys;

  bool operator==(const TopologySpreadConstraint&) const = default;
};

struct PodSpec {
  std::vector<Container> containers, init_containers;
  std::optional<ResourceList> pod_requests, pod_limits;  ///< pod-level resources
  ResourceList overhead;
  std::string node_name, scheduler_name, priority_class, preemption_policy, runtime_class;
  std::optional<std::int32_t> priority;
  LabelMap node_selector;
  Affinity affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> spread;
  std::vector<PodClaim> claims;
  std::vector<std::string> scheduling_gates;
  bool host_network = false;

  bool operator==(const PodSpec&) const = default;
};

/// One run of a container, as `state` or `lastState` tells it.
struct ContainerRun {
  std::optional<Instant> started, finished;
  std::string reason;

  bool operator==(const ContainerRun&) const = default;
};

struct ContainerStatus {
  std::string name;
  bool ready = false;
  std::int32_t restart_count = 0;
  ContainerRun current, last;

  bool operator==(const ContainerStatus&) const = default;
};

struct PodStatus {
  std::string phase;  ///< Pending, Running, Succeeded, Failed, Unknown; empty where not told
  std::optional<Instant> start_time;
  std::vector<Condition> conditions;
  std::vector<ContainerStatus> containers;
  std::string nominated_node;
  std::vector<std::pair<std::string, std::string>>
      claim_names;  ///< resourceClaimStatuses: pod claim to ResourceClaim

  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  ObjectMeta meta;
  PodSpec spec;
  PodStatus status;

  bool operator==(const Pod&) const = default;
};

/// What the scheduler counts: limits stand in for missing requests, the sum of the containers or a larger
/// init container, sidecars beside both, pod-level resources above them, plus overhead (KEP-753, KEP-2837).
/// A container that says nothing of a resource in `unsaid` is taken to ask for so much of it, as scores do.
ResourceList effective_requests(const PodSpec& spec, const ResourceList& unsaid = {});

}  // namespace etiage
