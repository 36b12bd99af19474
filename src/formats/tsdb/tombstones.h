#pragma once
// Deleted ranges of series, kept beside a block until it is compacted.

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace etiage::formats::tsdb {

/// Both ends deleted.
struct DeletedRange {
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
};

class Tombstones {
 public:
  static Result<Tombstones> read(std::string_view bytes);

  /// Of the series with that number in the index; may overlap.
  std::span<const DeletedRange> of(std::uint64_t series) const;

 private:
  std::unordered_map<std::uint64_t, std::vector<DeletedRange>> ranges_;
};

bool is_deleted(std::span<const DeletedRange> ranges, std::int64_t ms);

}  // namespace etiage::formats::tsdb
