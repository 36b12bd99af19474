#pragma once
// What a selector said of devices before: two devices that show it the same values are answered alike, and
// the devices of a fleet are much alike.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engines/cel/device_record.h"
#include "engines/cel/selector.h"

namespace etiage::cel {

/// Of one selector; belongs to one thread, as do the devices that it is asked about. Gives up by itself where
/// devices differ too much for remembering to pay.
class AnswerMemo {
 public:
  /// As cel::matches, for the same selector each time; it must be `ok()`.
  Outcome matches(const Selector& selector, const PreparedDevice& device);

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t first_value = 0;
    Outcome outcome = Outcome::kFalse;
    bool taken = false;
  };
  using Places = std::vector<std::uint32_t>;

  bool worth_it(const Program& program);
  const Places& places_in(const Program& program, const std::shared_ptr<const DeviceShape>& shape);
  std::size_t find(std::uint64_t hash, const DeviceRecord& record, const Places& places) const;
  void grow();

  struct KnownShape {
    std::shared_ptr<const DeviceShape> shape;
    Places places;  ///< of what the selector reads
  };
  std::unordered_map<const DeviceShape*, KnownShape> shapes_;
  const KnownShape* last_ = nullptr;
  std::vector<Entry> entries_;  ///< open addressing
  std::vector<Value> values_;   ///< what the entries' devices showed, one after the other
  std::size_t remembered_ = 0, asked_ = 0;
};

}  // namespace etiage::cel
