#pragma once
// Chunks of float samples: differences of differences of the stamps, XOR of the values (Gorilla, VLDB 2015).

#include <string_view>
#include <vector>

#include "formats/samples.h"

namespace etiage::formats::tsdb {

/// Appends the samples of a chunk to `out`; `data` is what stands between encoding byte and checksum and must
/// be readable for BitReader::kPadding bytes more. Returns why it stopped before the last sample, or nothing.
std::string_view decode_xor(std::string_view data, std::vector<Sample>& out);
std::string_view decode_xor2(std::string_view data, std::vector<Sample>& out);

}  // namespace etiage::formats::tsdb
