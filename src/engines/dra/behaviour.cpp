#include "engines/dra/behaviour.h"

#include <algorithm>
#include <array>

namespace etiage::dra {
namespace {

struct GateRow {
  std::string_view name;
  bool Gates::* gate;
};

constexpr std::array kGateRows{
    GateRow{"DRAAdminAccess", &Gates::admin_access},
    GateRow{"DRAPrioritizedList", &Gates::prioritized_list},
    GateRow{"DRAResourceClaimDeviceStatus", &Gates::resource_claim_device_status},
    GateRow{"DRAPartitionableDevices", &Gates::partitionable_devices},
    GateRow{"DRADeviceTaints", &Gates::device_taints},
    GateRow{"DRADeviceTaintRules", &Gates::device_taint_rules},
    GateRow{"DRAConsumableCapacity", &Gates::consumable_capacity},
    GateRow{"DRADeviceBindingConditions", &Gates::device_binding_conditions},
    GateRow{"DRAListTypeAttributes", &Gates::list_type_attributes},
    GateRow{"DRAFractionalCapacityRange", &Gates::fractional_capacity_range},
    GateRow{"DRAExtendedResource", &Gates::extended_resource},
    GateRow{"DRADerivedAttributes", &Gates::derived_attributes},
    GateRow{"DRADeviceCompatibilityGroups", &Gates::device_compatibility_groups},
    GateRow{"DRAOptionalNodeOperations", &Gates::optional_node_operations},
};

void apply_gate(Gates& gates, std::string_view entry, Diagnostics& diagnostics) {
  const std::size_t equals = entry.find('=');
  const std::string_view name = entry.substr(0, equals);
  const std::string_view value = equals == entry.npos ? std::string_view() : entry.substr(equals + 1);
  if (value != "true" && value != "false") {
    diagnostics.push_back({Severity::kError,
                           "gate-malformed",
                           {},
                           "feature gate \"" + std::string(entry) + "\" is not NAME=true or NAME=false",
                           {}});
    return;
  }
  const auto row = std::ranges::find(kGateRows, name, &GateRow::name);
  if (row == kGateRows.end()) {
    diagnostics.push_back({Severity::kWarning,
                           "gate-not-read",
                           {},
                           "feature gate " + std::string(name) + " is not read when devices are allocated",
                           {}});
    return;
  }
  gates.*row->gate = value == "true";
}

Variant variant_for(int minor, const Gates& g) {
  const bool binding = minor == 34 ? g.device_binding_conditions || g.resource_claim_device_status
                                   : g.device_binding_conditions && g.resource_claim_device_status;
  const bool older = g.admin_access || g.prioritized_list || g.partitionable_devices || g.device_taints;
  if (minor <= 35) {
    if (binding || g.consumable_capacity) return Variant::kExperimental;
    return older ? Variant::kIncubating : Variant::kStable;
  }
  const bool alpha =
      minor >= 37 && (g.derived_attributes || g.device_compatibility_groups || g.optional_node_operations);
  if (g.list_type_attributes || alpha) return Variant::kExperimental;
  const bool fractional = minor >= 37 && g.fractional_capacity_range;
  return binding || g.consumable_capacity || fractional ? Variant::kIncubating : Variant::kStable;
}

/// Gates that a release does not have are off there.
Gates known_gates(int minor, Gates g) {
  if (minor < 35) g.device_taint_rules = false;
  if (minor < 36) g.list_type_attributes = false;
  if (minor < 37)
    g.fractional_capacity_range = g.derived_attributes = g.device_compatibility_groups =
        g.optional_node_operations = false;
  return g;
}

}  // namespace

Gates default_gates(KubernetesVersion version) {
  Gates g;
  const bool beta = version.minor >= 36;
  g.partitionable_devices = g.device_taints = g.consumable_capacity = g.device_binding_conditions =
      g.extended_resource = beta;
  g.device_taint_rules = g.fractional_capacity_range = version.minor >= 37;
  return g;
}

Gates with_gates(Gates gates, std::string_view text, Diagnostics& diagnostics) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (const std::string_view entry = text.substr(0, comma); !entry.empty())
      apply_gate(gates, entry, diagnostics);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return gates;
}

std::string_view to_string(Variant variant) {
  switch (variant) {
    case Variant::kStable:
      return "stable";
    case Variant::kIncubating:
      return "incubating";
    case Variant::kExperimental:
      return "experimental";
  }
  return "";
}

Behaviour behaviour_of(KubernetesVersion version, const Gates& gates) {
  const int minor = std::clamp(version.minor, 34, 37);
  Behaviour b;
  b.version = {minor};
  b.gates = known_gates(minor, gates);
  b.variant = variant_for(minor, b.gates);
  const bool stable = b.variant == Variant::kStable;
  const bool newest = b.variant == Variant::kExperimental || (minor >= 36 && !stable);
  b.binding_conditions = b.gates.device_binding_conditions && b.gates.resource_claim_device_status && newest;

  b.counter_sets_apart = minor >= 36 || (minor == 35 && !stable);
  b.counter_slices_everywhere = b.counter_sets_apart && (minor < 37 || stable);
  b.pools_sorted = minor >= 36 && !stable;
  b.binding_pools_last = newest;
  b.binding_slices_last = newest && minor <= 35;
  b.whole_pool_completeness = b.skips_bad_pools = minor >= 35;
  b.ignores_compatibility_groups = minor >= 37 && !b.gates.device_compatibility_groups;

  b.checks_capacity_gate = b.knows_distinct_attribute = b.binds_to_node = newest;
  b.limit_per_request = minor >= 36;
  b.all_reuses_first_subrequest = b.all_forgets_subrequest = minor <= 35;
  b.all_by_static_capacity = minor >= 37;

  b.combinations = minor >= 36 && !stable;
  b.limit_prunes = !(stable && minor <= 35);
  b.leaky_rollback = minor <= 35;
  b.rechecks_capacity_by_index = minor == 34;

  b.every_taint_blocks = minor == 34 || (minor == 35 && stable);
  using enum Behaviour::CounterKey;
  b.counter_key = !b.counter_sets_apart ? kSlice : minor == 35 ? kPoolName : kPool;
  b.all_crashes_on_counters = b.counter_key == kPoolName;
  b.shared_skip_counters = newest && minor >= 35;
  b.share_ids_mark_shared = minor >= 37;
  b.shared_consume_counters = newest && minor >= 36;
  b.capacity_faults_abort = b.rounds_in_step_format = minor >= 37;
  b.distinct_never_equal = b.early_extended_resources = minor == 34;
  b.distinct_per_request = minor <= 36;
  b.list_narrowing_sticks = minor == 36 && b.gates.list_type_attributes;
  return b;
}

cel::Environment cel_environment(const Behaviour& behaviour) {
  cel::Environment e = cel::default_environment(behaviour.version);
  e.consumable_capacity = behaviour.gates.consumable_capacity;
  e.list_type_attributes = behaviour.gates.list_type_attributes;
  return e;
}

}  // namespace etiage::dra
