#pragma once
// All slices and devices of a cluster, numbered, so that the search compares integers.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/dra.h"

namespace etiage::dra {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct FleetDevice {
  const Device* object = nullptr;
  std::uint32_t slice = kNone;
  std::uint32_t identity =
      kNone;  ///< of (driver, pool, device): the same device in an older slice has the same
  bool has_capacity_rules = false;  ///< a request policy, or a negative amount
};

struct FleetSlice {
  const ResourceSlice* object = nullptr;
  std::uint32_t pool = kNone;
  std::uint32_t first = 0;  ///< its devices are `first` ... `first + count - 1`
  std::uint32_t count = 0;
  bool has_binding_conditions = false;
  bool uses_compatibility_groups = false;
};

struct FleetPool {
  std::string driver, name;
  std::vector<std::uint32_t> slices;  ///< of every generation, in the order of the input
};

/// An index over slices that the caller keeps alive and unchanged.
class Fleet {
 public:
  explicit Fleet(const std::vector<ResourceSlice>& slices);

  const std::vector<FleetDevice>& devices() const { return devices_; }
  const std::vector<FleetSlice>& slices() const { return slices_; }
  const std::vector<FleetPool>& pools() const { return pools_; }
  std::size_t identities() const { return identities_.size(); }

  /// Slices that name this node, and those that name none, each in the order of the input.
  const std::vector<std::uint32_t>& slices_of_node(std::string_view node) const;
  const std::vector<std::uint32_t>& slices_of_no_node() const { return slices_of_no_node_; }
  /// kNone for a device that no slice knows.
  std::uint32_t identity(std::string_view driver, std::string_view pool, std::string_view device) const;
  /// `driver/pool/device`.
  std::string name_of(std::uint32_t device) const;
  const FleetSlice& slice_of(std::uint32_t device) const { return slices_[devices_[device].slice]; }

 private:
  void add(const ResourceSlice& slice);

  std::vector<FleetDevice> devices_;
  std::vector<FleetSlice> slices_;
  std::vector<FleetPool> pools_;
  std::unordered_map<std::string, std::uint32_t> pool_ids_, identities_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> slices_of_node_;
  std::vector<std::uint32_t> slices_of_no_node_;
};

}  // namespace etiage::dra
