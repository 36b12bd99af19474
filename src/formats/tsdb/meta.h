#pragma once
// A block's meta.json, as Prometheus, Mimir and Thanos write it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace etiage::formats::tsdb {

/// Sorted by name.
using ExternalLabels = std::vector<std::pair<std::string, std::string>>;

struct BlockMeta {
  std::string ulid;
  std::int64_t min_ms = 0;          ///< of the first sample that can be in it
  std::int64_t max_ms = 0;          ///< the first moment after it
  std::int64_t downsampled_ms = 0;  ///< Thanos: one aggregate for so much time; 0: the samples themselves
  /// Thanos: the labels of the Prometheus that the block came from, part of each of its series. Without those
  /// that Mimir and Cortex use for themselves (`__org_id__`, `__ingester_id__`, `__compactor_shard_id__`).
  ExternalLabels external_labels;
  std::string tenant;     ///< of Mimir, Cortex or Thanos Receive, where a label names one; else empty
  bool of_mimir = false;  ///< it carries a label of Mimir or Cortex: its folder is its tenant's
};

/// Unknown members are passed over.
Result<BlockMeta> read_meta(std::string_view json);

}  // namespace etiage::formats::tsdb
