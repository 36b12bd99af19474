#pragma once
// Devices by claim: the objects of resource.k8s.io as plain values, in the shape of v1 (older versions are
// lifted to it on reading). Words and limits: k8s.io/api/resource/v1.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/meta.h"

namespace etiage {

/// A quantity and how it was written: the allocator compares some quantities by their form.
struct WrittenQuantity {
  std::string text;
  Quantity amount;

  bool operator==(const WrittenQuantity&) const = default;
};

/// `identifier` (the domain is then the device's driver) or `domain/identifier`.
using QualifiedName = std::string;

/// A semantic version as it was written; one that does not parse is an error only where it is read.
struct SemanticVersion {
  std::string text;

  bool operator==(const SemanticVersion&) const = default;
};

/// The value of a device attribute; monostate where the object held none that is known. Lists: gate
/// DRAListTypeAttributes.
using DeviceAttribute =
    std::variant<std::monostate, std::int64_t, bool, std::string, SemanticVersion, std::vector<std::int64_t>,
                 std::vector<bool>, std::vector<std::string>, std::vector<SemanticVersion>>;

/// Amounts between `min` and `max` in steps from `min`.
struct CapacityRange {
  std::optional<WrittenQuantity> min, max, step;

  bool operator==(const CapacityRange&) const = default;
};

/// What may be asked of a capacity that several claims share: `values` or `range`, or anything.
struct CapacityRequestPolicy {
  std::optional<WrittenQuantity> standard;             ///< `default`: consumed where nothing is asked
  std::optional<std::vector<WrittenQuantity>> values;  ///< `validValues`, ascending
  std::optional<CapacityRange> range;                  ///< `validRange`

  bool operator==(const CapacityRequestPolicy&) const = default;
};

struct DeviceCapacity {
  WrittenQuantity value;
  std::optional<CapacityRequestPolicy> policy;

  bool operator==(const DeviceCapacity&) const = default;
};

using CounterMap = std::map<std::string, Quantity, std::less<>>;

/// Counters that the devices of one pool share, as the memory slices of a GPU.
struct CounterSet {
  std::string name;
  CounterMap counters;

  bool operator==(const CounterSet&) const = default;
};

struct CounterConsumption {
  std::string counter_set;
  CounterMap counters;
  std::vector<std::string> compatibility_groups;  ///< 1.37 alpha

  bool operator==(const CounterConsumption&) const = default;
};

struct DeviceTaint {
  std::string key, value;
  std::string effect;  ///< NoSchedule, NoExecute, None, or what a newer driver says (which then counts as
                       ///< None since 1.35)
  std::optional<Instant> added;
  std::string rule;  ///< the DeviceTaintRule it comes from; empty: the driver's own

  bool operator==(const DeviceTaint&) const = default;
};

struct DeviceToleration {
  std::string key;  ///< empty with Exists: every key
  std::string op;   ///< Equal (also when empty) or Exists
  std::string value;
  std::string effect;  ///< empty: every effect
  std::optional<std::int64_t> seconds;

  bool operator==(const DeviceToleration&) const = default;
};

/// Which nodes reach a device, or all devices of a slice: at most one is given.
struct NodeReach {
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  bool all_nodes = false;

  bool operator==(const NodeReach&) const = default;
};

struct Device {
  std::string name;  ///< unique in the pool
  std::map<QualifiedName, DeviceAttribute, std::less<>> attributes;
  std::map<QualifiedName, DeviceCapacity, std::less<>> capacity;
  std::vector<CounterConsumption> consumes;
  NodeReach reach;  ///< only where the slice says perDeviceNodeSelection
  std::vector<DeviceTaint> taints;
  bool binds_to_node = false;
  std::vector<std::string> binding_conditions, binding_failure_conditions;
  bool allow_multiple_allocations = false;
  int line = 0;  ///< in the file of its slice

  bool operator==(const Device&) const = default;
};

struct ResourcePool {
  std::string name;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;

  bool operator==(const ResourcePool&) const = default;
};

struct ResourceSlice {
  ObjectMeta meta;
  std::string driver;
  ResourcePool pool;
  NodeReach reach;
  std::optional<bool>
      per_device_node_selection;  ///< given at all: the slice needs the gate DRAPartitionableDevices
  std::vector<Device> devices;    ///< in the driver's order, which is the order of preference
  std::vector<CounterSet> shared_counters;

  bool operator==(const ResourceSlice&) const = default;
};

struct DeviceSelector {
  std::optional<std::string> cel;  ///< absent: a kind of selector that is not known
  int line = 0;

  bool operator==(const DeviceSelector&) const = default;
};

/// Opaque settings for a driver, kept as JSON text.
struct DeviceConfig {
  std::vector<std::string> requests;  ///< empty: all; `request` or `request/subrequest`
  std::string driver;
  std::string parameters;

  bool operator==(const DeviceConfig&) const = default;
};

struct DeviceClass {
  ObjectMeta meta;
  std::vector<DeviceSelector> selectors;
  std::vector<DeviceConfig> config;
  std::string extended_resource_name;

  bool operator==(const DeviceClass&) const = default;
};

/// The body of `exactly` and of each entry of `firstAvailable`.
struct DeviceAsk {
  std::string device_class;
  std::vector<DeviceSelector> selectors;
  std::string allocation_mode = "ExactCount";  ///< ExactCount, All, or what a newer API knows
  std::int64_t count = 1;                      ///< with ExactCount
  std::optional<bool> admin_access;            ///< given at all: the request needs the gate DRAAdminAccess
  std::vector<DeviceToleration> tolerations;
  std::optional<std::map<QualifiedName, WrittenQuantity, std::less<>>> capacity;  ///< `capacity.requests`
  bool derived_attributes = false;  ///< 1.37 alpha, gate DRADerivedAttributes

  bool operator==(const DeviceAsk&) const = default;
};

struct DeviceSubRequest {
  std::string name;
  DeviceAsk ask;

  bool operator==(const DeviceSubRequest&) const = default;
};

/// `exactly` or `firstAvailable` (in the order of preference); neither: a form that is not known.
struct DeviceRequest {
  std::string name;
  std::optional<DeviceAsk> exactly;
  std::vector<DeviceSubRequest> first_available;
  int line = 0;

  bool operator==(const DeviceRequest&) const = default;
};

struct DeviceConstraint {
  enum class Kind { kUnknown, kMatchAttribute, kDistinctAttribute };
  Kind kind = Kind::kUnknown;
  std::vector<std::string> requests;  ///< empty: all; `request` or `request/subrequest`
  std::string attribute;              ///< fully qualified

  bool operator==(const DeviceConstraint&) const = default;
};

struct ClaimSpec {
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  std::vector<DeviceConfig> config;

  bool operator==(const ClaimSpec&) const = default;
};

/// One device given to one request.
struct AllocatedDevice {
  std::string request;  ///< `request` or `request/subrequest`
  std::string driver, pool, device;
  bool admin_access = false;
  std::optional<std::string> share_id;  ///< given where the device may be allocated several times
  std::map<QualifiedName, Quantity, std::less<>> consumed;
  bool has_consumed = false;  ///< `consumedCapacity` stood there, perhaps empty
  std::vector<std::string> binding_conditions, binding_failure_conditions;
  std::vector<DeviceToleration> tolerations;

  bool operator==(const AllocatedDevice&) const = default;
};

struct Allocation {
  std::vector<AllocatedDevice> devices;
  std::optional<NodeSelector> node_selector;  ///< absent: every node
  std::optional<Instant> time;

  bool operator==(const Allocation&) const = default;
};

struct ConsumerReference {
  std::string api_group, resource, name, uid;

  bool operator==(const ConsumerReference&) const = default;
};

struct ResourceClaim {
  ObjectMeta meta;
  ClaimSpec spec;
  std::optional<Allocation> allocation;
  std::vector<ConsumerReference> reserved_for;

  bool operator==(const ResourceClaim&) const = default;
};

/// Each pod that names it gets a claim of its own.
struct ResourceClaimTemplate {
  ObjectMeta meta;
  ClaimSpec spec;

  bool operator==(const ResourceClaimTemplate&) const = default;
};

/// Adds its taint to the devices that all given parts select; without a selector to none.
struct DeviceTaintRule {
  struct Selector {
    std::optional<std::string> driver, pool, device;

    bool operator==(const Selector&) const = default;
  };
  ObjectMeta meta;
  std::optional<Selector> selector;
  DeviceTaint taint;

  bool operator==(const DeviceTaintRule&) const = default;
};

/// What a dump holds of resource.k8s.io, in the order of the text.
struct DraObjects {
  std::vector<ResourceSlice> slices;
  std::vector<DeviceClass> classes;
  std::vector<ResourceClaim> claims;
  std::vector<ResourceClaimTemplate> templates;
  std::vector<DeviceTaintRule> taint_rules;

  bool operator==(const DraObjects&) const = default;
};

}  // namespace etiage
