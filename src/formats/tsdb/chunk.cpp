#include "formats/tsdb/chunk.h"

#include <string>

#include "formats/tsdb/bit_reader.h"
#include "formats/tsdb/byte_reader.h"
#include "formats/tsdb/float_chunk.h"
#include "formats/tsdb/histogram_chunk.h"

namespace etiage::formats::tsdb {
namespace {

std::string_view decode(ChunkEncoding encoding, std::string_view data, bool histograms, ChunkSamples& out) {
  switch (encoding) {
    case ChunkEncoding::kXor:
      return decode_xor(data, out.floats);
    case ChunkEncoding::kXor2:
      return decode_xor2(data, out.floats);
    case ChunkEncoding::kHistogram:
    case ChunkEncoding::kFloatHistogram:
    case ChunkEncoding::kHistogramSt:
    case ChunkEncoding::kFloatHistogramSt: {
      const bool floats =
          encoding == ChunkEncoding::kFloatHistogram || encoding == ChunkEncoding::kFloatHistogramSt;
      const bool start_times =
          encoding == ChunkEncoding::kHistogramSt || encoding == ChunkEncoding::kFloatHistogramSt;
      return histograms ? decode_histograms(data, {floats, start_times}, out.histograms) : "";
    }
    case ChunkEncoding::kThanosAggregates:
      out.aggregates.assign(data).append(BitReader::kPadding, '\0');
      out.aggregates_size = data.size();
      return "";
  }
  return "a chunk encoding that is not known";
}

}  // namespace

std::string_view read_chunk(std::string_view segment, std::uint64_t offset, bool histograms,
                            ChunkSamples& out) {
  if (offset >= segment.size()) return "a chunk lies beyond the end of its file";
  ByteReader reader(segment.substr(offset));
  const std::uint64_t length = reader.uvarint();
  const auto body = length < segment.size() ? checked_section(reader, length + 1) : std::nullopt;
  if (!body)
    return reader.failed() || length >= segment.size() ? "a chunk reaches beyond the end of its file"
                                                       : "a chunk does not match its checksum";
  const auto encoding = static_cast<ChunkEncoding>(static_cast<unsigned char>(body->front()));
  const std::string_view data = body->substr(1);
  if (static_cast<std::size_t>(segment.data() + segment.size() - data.end()) >= BitReader::kPadding)
    return decode(encoding, data, histograms, out);
  const std::string padded = std::string(data) + std::string(BitReader::kPadding, '\0');
  return decode(encoding, std::string_view(padded).substr(0, data.size()), histograms, out);
}

std::string_view segment_fault(std::string_view segment) {
  constexpr std::uint32_t kMagic = 0x85BD40DD;
  constexpr std::size_t kHeaderSize = 8;
  if (segment.size() < kHeaderSize) return "a file of chunks too short for its header";
  ByteReader header(segment);
  if (header.u32() != kMagic) return "no file of chunks: it begins with something else";
  return header.u8() == 1 ? "" : "a version of chunk files that is not read";
}

}  // namespace etiage::formats::tsdb
