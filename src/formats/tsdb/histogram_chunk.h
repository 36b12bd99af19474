#pragma once
// Chunks of native histograms: one layout for all samples, then differences.

#include <string_view>
#include <vector>

#include "formats/tsdb/histogram.h"

namespace etiage::formats::tsdb {

struct HistogramEncoding {
  bool floats = false;       ///< counts are floats
  bool start_times = false;  ///< the encodings whose name ends in ST
};

/// As `decode_xor` of float_chunk.h.
std::string_view decode_histograms(std::string_view data, HistogramEncoding encoding,
                                   std::vector<NativeHistogram>& out);

}  // namespace etiage::formats::tsdb
