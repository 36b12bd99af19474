#pragma once
// Kueue's Workload: what a job asks for, and what Kueue has decided about it so far.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/meta.h"
#include "model/pod.h"

namespace etiage {

/// Pods are placed in groups of `size` that share one domain at the level `topology`.
struct SliceConstraint {
  std::string topology;
  std::int32_t size = 0;  ///< 0: not given

  bool operator==(const SliceConstraint&) const = default;
};

struct TopologyRequest {
  std::optional<std::string> required, preferred;  ///< a level
  std::optional<bool> unconstrained;
  std::optional<std::string> group;           ///< podSetGroupName
  std::optional<std::string> slice_topology;  ///< podSetSliceRequiredTopology
  std::optional<std::int32_t> slice_size;
  std::vector<SliceConstraint> slice_constraints;  ///< outermost first

  bool operator==(const TopologyRequest&) const = default;
};

struct PodSet {
  std::string name = "main";
  std::int32_t count = 1;
  std::optional<std::int32_t> min_count;
  PodSpec spec;
  std::optional<TopologyRequest> topology;

  bool operator==(const PodSet&) const = default;
};

struct TopologyDomain {
  std::vector<std::string> values;  ///< one a level
  std::int32_t count = 0;

  bool operator==(const TopologyDomain&) const = default;
};

struct TopologyAssignment {
  std::vector<std::string> levels;
  std::vector<TopologyDomain> domains;

  bool operator==(const TopologyAssignment&) const = default;
};

struct PodSetAdmission {
  std::string name;
  std::optional<std::int32_t> count;
  LabelMap flavors;    ///< resource to flavor
  ResourceList usage;  ///< of all pods together
  std::optional<TopologyAssignment> topology;
  bool topology_delayed = false;  ///< delayedTopologyRequest: Pending

  bool operator==(const PodSetAdmission&) const = default;
};

struct Admission {
  std::string cluster_queue;
  std::vector<PodSetAdmission> pod_sets;

  bool operator==(const Admission&) const = default;
};

struct AdmissionCheckState {
  std::string name, state, message;

  bool operator==(const AdmissionCheckState&) const = default;
};

struct Workload {
  ObjectMeta meta;
  std::string queue;  ///< name of a LocalQueue in the same namespace
  std::vector<PodSet> pod_sets;
  std::optional<std::int32_t> priority;
  std::string priority_class;
  bool active = true;
  std::vector<Condition> conditions;
  std::optional<Admission> admission;
  std::vector<AdmissionCheckState> admission_checks;
  std::vector<std::pair<std::string, std::int32_t>> reclaimable_pods;  ///< pod set to pods that are done
  std::optional<Instant> requeue_at;
  std::int32_t requeue_count = 0;
  bool resource_requests_known = false;  ///< status.resourceRequests is filled

  bool operator==(const Workload&) const = default;
};

}  // namespace etiage
