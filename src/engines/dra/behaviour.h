#pragma once
// Engines, dra: which devices the scheduler gives to ResourceClaims, release by release
// (k8s.io/dynamic-resource-allocation, structured/), and why the others were not given. The door is
// allocator.h (one pod's claims on one node) and scheduling.h (all pods in turn). This header: what differs
// between releases, feature gates and the three variants of the allocator.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "engines/cel/selector.h"
#include "model/kubernetes_version.h"

namespace etiage::dra {

/// The gates of kube-scheduler that decide about devices; named as in Kubernetes, without `DRA`.
struct Gates {
  bool admin_access = true;
  bool prioritized_list = true;
  bool resource_claim_device_status = true;
  bool partitionable_devices = true;
  bool device_taints = true;
  bool device_taint_rules = true;
  bool consumable_capacity = true;
  bool device_binding_conditions = true;
  bool list_type_attributes = false;
  bool fractional_capacity_range = true;
  bool extended_resource = true;
  bool derived_attributes = false;
  bool device_compatibility_groups = false;
  bool optional_node_operations = false;

  bool operator==(const Gates&) const = default;
};

/// As kube-scheduler of that release has them.
Gates default_gates(KubernetesVersion version);
/// Applies `A=true,B=false`; a gate that is not read here is a warning, a malformed entry an error.
Gates with_gates(Gates gates, std::string_view text, Diagnostics& diagnostics);

/// The three copies of the allocator; the first whose features cover the enabled gates answers.
enum class Variant : std::uint8_t { kStable, kIncubating, kExperimental };
std::string_view to_string(Variant variant);

/// How one allocator decides. Each flag is a difference between releases or variants that changes outcomes.
struct Behaviour {
  KubernetesVersion version;
  Gates gates;
  Variant variant = Variant::kIncubating;
  bool binding_conditions = false;  ///< devices with binding conditions may be taken

  // Pools.
  bool counter_sets_apart = false;  ///< slices with sharedCounters only lend counters; else a slice has both
  bool counter_slices_everywhere = false;  ///< they belong to a pool on every node
  bool pools_sorted = false;               ///< pools by driver and name, slices by name; else in random order
  bool binding_pools_last = false;         ///< pools with binding conditions come last
  bool binding_slices_last = false;        ///< also inside a pool
  bool whole_pool_completeness =
      false;  ///< slices for other nodes count, newer generations there make a pool obsolete
  bool skips_bad_pools = false;  ///< else an incomplete pool is used and an invalid one is an error
  bool ignores_compatibility_groups = false;  ///< slices that use them are not seen

  // Requests.
  bool checks_capacity_gate = false;  ///< capacity requests with the gate off are an error, else ignored
  bool knows_distinct_attribute = false;
  bool limit_per_request = false;            ///< the 32 devices are checked request by request
  bool all_reuses_first_subrequest = false;  ///< All in the second subrequest reuses what the first selected
  bool all_by_static_capacity = false;       ///< All keeps devices that are full, and so fails
  bool all_forgets_subrequest = false;       ///< after its first device All goes on with the first subrequest

  // Search.
  bool combinations = false;  ///< devices of one request in rising order only, else every permutation
  bool all_crashes_on_counters = false;  ///< All over devices that consume counters brings the scheduler down
  bool limit_prunes = false;             ///< exceeding 32 devices gives up the whole request
  bool leaky_rollback = false;           ///< rejected devices leave counters and marks behind
  bool rechecks_capacity_by_index = false;  ///< capacity is rechecked on the device at the wrong position

  // Devices.
  bool every_taint_blocks = false;  ///< whatever its effect
  enum class CounterKey : std::uint8_t { kSlice, kPoolName, kPool };
  CounterKey counter_key = CounterKey::kPool;
  bool shared_skip_counters = false;     ///< a device already shared is not charged again
  bool share_ids_mark_shared = false;    ///< shares without capacity count as shared
  bool shared_consume_counters = false;  ///< shared allocations count against counters
  bool capacity_faults_abort = false;  ///< a request that cannot be represented aborts, else skips the device
  bool rounds_in_step_format = false;
  bool distinct_never_equal = false;   ///< 1.34 compares pointers: only a device with itself is equal
  bool distinct_per_request = false;   ///< only the last device of each request is remembered
  bool list_narrowing_sticks = false;  ///< backtracking does not widen the common values again
  bool binds_to_node = false;
  /// As KEP-5004 was first shipped: no implicit names, init containers reuse nothing, a node that lists the
  /// resource serves it, even at 0.
  bool early_extended_resources = false;

  bool operator==(const Behaviour&) const = default;
};

Behaviour behaviour_of(KubernetesVersion version, const Gates& gates);

/// What selectors are compiled in.
cel::Environment cel_environment(const Behaviour& behaviour);

}  // namespace etiage::dra
