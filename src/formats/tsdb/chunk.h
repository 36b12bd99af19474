#pragma once
// One chunk of a block: found in its segment file, checked, decoded.

#include <string>
#include <string_view>
#include <vector>

#include "formats/samples.h"
#include "formats/tsdb/histogram.h"

namespace etiage::formats::tsdb {

enum class ChunkEncoding : std::uint8_t {
  kXor = 1,
  kHistogram = 2,
  kFloatHistogram = 3,
  kXor2 = 4,
  kHistogramSt = 5,
  kFloatHistogramSt = 6,
  kThanosAggregates = 0xff,  ///< of a downsampled block
};

/// The samples of a chunk: floats, histograms or aggregates, never several of these.
struct ChunkSamples {
  std::vector<Sample> floats;
  std::vector<NativeHistogram> histograms;
  std::string aggregates;  ///< of a downsampled block: for aggregates.h, padding and all
  std::size_t aggregates_size = 0;

  void clear() { floats.clear(), histograms.clear(); }
};

/// Appends the chunk at `offset` of a segment file to `out`; native histograms only where they are wanted.
/// Returns why it could not be read, or not to its end (what came before is in `out`); nothing where all is
/// well.
std::string_view read_chunk(std::string_view segment, std::uint64_t offset, bool histograms,
                            ChunkSamples& out);

/// Why a file is no segment of chunks; nothing where it is one.
std::string_view segment_fault(std::string_view segment);

}  // namespace etiage::formats::tsdb
