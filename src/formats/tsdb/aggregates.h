#pragma once
// Chunks of blocks that Thanos downsampled: for each span of time the count, sum, minimum, maximum and, of
// counters, the value at its end (thanos-io/thanos pkg/compact/downsample).

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/samples.h"

namespace etiage::formats::tsdb {

/// In the order in which a chunk holds them.
enum class Aggregate : std::uint8_t { kCount, kSum, kMin, kMax, kCounter };

/// Appends the samples of one aggregate; none where the chunk does not have it. `data` must be readable for
/// `BitReader::kPadding` bytes behind its end. Returns why it could not be read, or nothing.
std::string_view decode_aggregate(std::string_view data, Aggregate which, std::vector<Sample>& out);

/// Sum by count, each for the span of `resolution_ms` that ends with its stamp: stamped with its beginning,
/// since a value of a gauge holds from its stamp on.
std::string_view decode_averages(std::string_view data, std::int64_t resolution_ms, std::vector<Sample>& out);

/// The largest values, stamped in the same way.
std::string_view decode_maxima(std::string_view data, std::int64_t resolution_ms, std::vector<Sample>& out);

/// Counters start anew in each chunk: its first sample is the first raw value, its last one, at the stamp
/// before, the last raw value. Read chunk after chunk they give a total that never falls.
class CounterTotal {
 public:
  std::string_view decode(std::string_view data, std::vector<Sample>& out);

 private:
  bool begun_ = false;
  std::int64_t last_ms_ = 0;
  double last_ = 0, total_ = 0;
};

}  // namespace etiage::formats::tsdb
