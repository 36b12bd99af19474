#pragma once
// A device as programs see it: the `device` variable as a value, and its parts by the hash of domain and
// name.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/cel/value.h"
#include "model/dra.h"

namespace etiage::cel {

std::uint64_t device_key_hash(bool capacity, std::string_view domain, std::string_view name);

class DeviceRecord {
 public:
  /// `lists`: attributes may hold lists.
  DeviceRecord(std::string_view driver, const Device& device, bool lists);

  /// Why Kubernetes could not hand the device to CEL.
  const std::optional<std::string>& error() const { return error_; }
  const Value& variable() const { return variable_; }
  /// Null: the device has no such attribute or capacity.
  const Value* find(std::uint64_t hash, bool capacity, std::string_view domain, std::string_view name) const;

 private:
  struct Entry {
    bool capacity;
    std::string domain, name;
    Value value;
  };
  void add(bool capacity, std::string_view driver, std::string_view qualified_name, Value value);
  Value section(bool capacity) const;
  void index();

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> hashes_;  ///< open addressing, 0: free; `slots_` holds the entries
  std::vector<std::uint32_t> slots_;
  Value variable_;
  std::optional<std::string> error_;
};

}  // namespace etiage::cel
