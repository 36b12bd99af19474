// Slices and pools that nothing can be taken from, or that an API server would refuse.

#include <algorithm>
#include <map>
#include <set>

#include "explain/lint/dra_rules.h"

namespace etiage::explain {
namespace {

constexpr std::size_t kMaxDevices = 128, kMaxAdvancedDevices = 64, kMaxAttributes = 32, kMaxTaints = 16;

bool is_advanced(const Device& d) {
  return !d.taints.empty() || !d.consumes.empty();
}

bool has_list(const Device& device) {
  return std::ranges::any_of(device.attributes, [](const auto& entry) { return entry.second.index() > 4; });
}

/// What a driver publishes and the cluster does not know, since a gate is off.
void lint_gates(DraLint& lint, const ResourceSlice& slice, const Device& device) {
  const dra::Behaviour& b = lint.input.behaviour;
  const auto add = [&](const std::string& what) {
    lint.add(Severity::kWarning, "dra-gate-off", slice.meta, device.line,
             "device " + device.name + " " + what);
  };
  if (!device.consumes.empty() && !b.gates.partitionable_devices)
    add("consumes counters, but DRAPartitionableDevices is off: it is never taken");
  if (device.allow_multiple_allocations && !b.gates.consumable_capacity)
    add("allows several allocations, but DRAConsumableCapacity is off: it goes to one claim as a whole");
  if (!device.binding_conditions.empty() && !b.binding_conditions)
    add("has binding conditions, but DRADeviceBindingConditions is off: it is never taken");
  if (!device.taints.empty() && !b.gates.device_taints)
    add("has taints, but DRADeviceTaints is off: they keep nobody away");
  if (has_list(device) && !b.gates.list_type_attributes && b.version.minor < 37)
    add("has attributes that are lists, but DRAListTypeAttributes is off: every selector fails on it");
}

void lint_slice(DraLint& lint, const ResourceSlice& slice) {
  const std::size_t limit =
      std::ranges::any_of(slice.devices, is_advanced) ? kMaxAdvancedDevices : kMaxDevices;
  if (slice.devices.size() > limit)
    lint.add(Severity::kError, "dra-slice-too-large", slice.meta, 0,
             "the slice has " + std::to_string(slice.devices.size()) + " devices; at most " +
                 std::to_string(limit) + " are accepted");
  if (!slice.devices.empty() && !slice.shared_counters.empty() && lint.input.behaviour.counter_sets_apart)
    lint.add(
        Severity::kWarning, "dra-counters-hide-devices", slice.meta, 0,
        "the slice has sharedCounters and devices: since 1.35 its devices are not seen, without an error",
        "put sharedCounters into a slice of their own");
  for (const Device& device : slice.devices) {
    if (device.attributes.size() + device.capacity.size() > kMaxAttributes)
      lint.add(Severity::kError, "dra-too-many-attributes", slice.meta, device.line,
               "device " + device.name + " has more than 32 attributes and capacities");
    if (device.taints.size() > kMaxTaints)
      lint.add(Severity::kError, "dra-too-many-taints", slice.meta, device.line,
               "device " + device.name + " has more than 16 taints");
    lint_gates(lint, slice, device);
  }
}

const ResourceSlice* newest(const DraLint& lint, const dra::FleetPool& pool) {
  const ResourceSlice* out = nullptr;
  for (const std::uint32_t i : pool.slices) {
    const ResourceSlice* slice = lint.allocator.fleet().slices()[i].object;
    if (!out || slice->pool.generation > out->pool.generation) out = slice;
  }
  return out;
}

void lint_pool(DraLint& lint, const dra::FleetPool& pool) {
  const ResourceSlice* head = newest(lint, pool);
  const std::string label = "pool " + pool.driver + "/" + pool.name;
  std::size_t slices = 0;
  std::set<std::string> names;
  for (const std::uint32_t i : pool.slices) {
    const ResourceSlice& slice = *lint.allocator.fleet().slices()[i].object;
    if (slice.pool.generation < head->pool.generation) {
      lint.add(Severity::kInfo, "dra-stale-slice", slice.meta, 0,
               label + ": generation " + std::to_string(slice.pool.generation) + " is replaced by " +
                   std::to_string(head->pool.generation) + "; nothing is taken from this slice");
      continue;
    }
    ++slices;
    for (const Device& device : slice.devices)
      if (!names.insert(device.name).second)
        lint.add(Severity::kError, "dra-pool-invalid", slice.meta, device.line,
                 label + ": device " + device.name + " stands there twice, nothing is taken from the pool");
  }
  if (std::int64_t(slices) != head->pool.slice_count)
    lint.add(Severity::kWarning, "dra-pool-incomplete", head->meta, 0,
             label + " has " + std::to_string(slices) + " of " + std::to_string(head->pool.slice_count) +
                 " announced slices: " +
                 (lint.input.behaviour.skips_bad_pools
                      ? "nothing is taken from it, and requests for All fail on its nodes"
                      : "requests for All fail on its nodes"),
             "give all slices, or wait until the driver has written them");
}

/// Before 1.36 counters are known by the pool's name alone.
void lint_shared_tables(DraLint& lint) {
  if (lint.input.behaviour.counter_key != dra::Behaviour::CounterKey::kPoolName) return;
  std::map<std::string, std::set<std::string>> drivers;
  std::map<std::string, const ResourceSlice*> where;
  for (const ResourceSlice& slice : lint.input.cluster.dra.slices)
    if (!slice.shared_counters.empty()) {
      drivers[slice.pool.name].insert(slice.driver);
      where[slice.pool.name] = &slice;
    }
  for (const auto& [pool, names] : drivers)
    if (names.size() > 1)
      lint.add(Severity::kWarning, "dra-counters-share-table", where[pool]->meta, 0,
               "drivers " + *names.begin() + " and " + *std::next(names.begin()) +
                   " both share counters in a pool named " + pool + "; 1.35 keeps one table for both");
}

/// A driver that is gone leaves its slices for a while, and pods are bound to them (kubernetes#141912).
void lint_nodes(DraLint& lint) {
  std::set<std::string_view> nodes;
  for (const Node& node : lint.input.cluster.nodes) nodes.insert(node.meta.name);
  if (nodes.empty()) return;
  for (const ResourceSlice& slice : lint.input.cluster.dra.slices)
    if (slice.reach.node_name && !nodes.contains(*slice.reach.node_name))
      lint.add(
          Severity::kWarning, "dra-slice-without-node", slice.meta, 0,
          "the slice is for node " + *slice.reach.node_name + ", which these files do not have",
          "a slice of a node that is gone goes with it; one that stays offers devices that are not there");
}

}  // namespace

void lint_slices(DraLint& lint) {
  for (const ResourceSlice& slice : lint.input.cluster.dra.slices) lint_slice(lint, slice);
  for (const dra::FleetPool& pool : lint.allocator.fleet().pools()) lint_pool(lint, pool);
  lint_shared_tables(lint);
  lint_nodes(lint);
}

}  // namespace etiage::explain
