#pragma once
// A device as programs see it: the `device` variable as a value, and its parts by the hash of domain and
// name. Devices of a fleet are much alike: what is equal among them is kept once, so that many devices lie
// close together in memory.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engines/cel/value.h"
#include "model/dra.h"

namespace etiage::cel {

/// Where a name of a device stands.
struct DeviceName {
  enum class Section : std::uint8_t { kDriver, kAttributes, kCapacity };
  Section section = Section::kDriver;
  std::string domain, name;  ///< empty for the driver

  auto operator<=>(const DeviceName&) const = default;
};

std::uint64_t hash_of(const DeviceName& name);

/// The names of a device, in the order of its values; devices with the same names share one.
class DeviceShape {
 public:
  static constexpr std::uint32_t kNoPlace = UINT32_MAX;

  explicit DeviceShape(std::vector<DeviceName> names);

  const std::vector<DeviceName>& names() const { return names_; }
  /// `hash` is that of the name.
  std::uint32_t find(std::uint64_t hash, const DeviceName& name) const {
    for (std::size_t at = hash & mask_; cells_[at].place != kNoPlace; at = (at + 1) & mask_) {
      if (cells_[at].hash == hash && names_[cells_[at].place] == name) return cells_[at].place;
    }
    return kNoPlace;
  }

 private:
  struct Cell {
    std::uint64_t hash = 0;
    std::uint32_t place = kNoPlace;
  };

  std::vector<DeviceName> names_;
  std::vector<Cell> cells_;  ///< open addressing
  std::size_t mask_ = 0;
};

/// The names of a device as its slice writes them, and where their values go.
struct NamePattern {
  std::string driver;
  std::vector<std::string> attributes, capacity;
  std::shared_ptr<const DeviceShape> shape;
  std::vector<std::uint32_t> places;  ///< of the attributes, then of the capacities

  bool fits(std::string_view driver, const Device& device) const;
};

/// Shapes and values that devices share. Belongs to one thread, as do the devices made with it.
class DeviceVocabulary {
 public:
  /// Good until the next call.
  const NamePattern& pattern(std::string_view driver, const Device& device);
  Value text(const std::string& text);
  Result<Value> version(const SemanticVersion& v);
  Value quantity(const WrittenQuantity& q);

 private:
  std::shared_ptr<const DeviceShape> shape(std::vector<DeviceName> names);

  std::map<std::vector<DeviceName>, std::shared_ptr<const DeviceShape>> shapes_;
  /// Those met last: devices that follow one another are mostly written alike.
  std::vector<NamePattern> patterns_;
  std::size_t last_pattern_ = 0;
  std::unordered_map<std::string, Value> texts_, versions_, quantities_;
};

class DeviceRecord {
 public:
  /// `lists`: attributes may hold lists.
  DeviceRecord(std::string_view driver, const Device& device, bool lists, DeviceVocabulary& vocabulary);

  /// Why Kubernetes could not hand the device to CEL.
  const std::optional<std::string>& error() const { return error_; }
  /// Made when first asked for: most programs look only at single values.
  const Value& variable() const;
  const std::shared_ptr<const DeviceShape>& shape() const { return shape_; }
  bool allows_multiple_allocations() const { return allow_multiple_allocations_; }
  /// By the place in its shape; null for kNoPlace.
  const Value* at(std::uint32_t place) const {
    return place == DeviceShape::kNoPlace ? nullptr : &values_[place];
  }
  /// Null: the device has no such attribute or capacity.
  const Value* find(std::uint64_t hash, const DeviceName& name) const { return at(shape_->find(hash, name)); }

 private:
  Value section(DeviceName::Section section) const;

  std::shared_ptr<const DeviceShape> shape_;
  std::vector<Value> values_;  ///< the driver first
  bool allow_multiple_allocations_ = false;
  std::optional<std::string> error_;
  mutable std::optional<Value> variable_;
};

}  // namespace etiage::cel
