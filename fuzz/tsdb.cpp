// A block of Prometheus from arbitrary bytes. Checksums would stop nearly every input at the door, so chunks
// are also decoded behind it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

#include "formats/tsdb/aggregates.h"
#include "formats/tsdb/bit_reader.h"
#include "formats/tsdb/block.h"
#include "formats/tsdb/chunk.h"
#include "formats/tsdb/float_chunk.h"
#include "formats/tsdb/histogram_chunk.h"

namespace {

using namespace etiage::formats;

class Sink : public SampleVisitor {
 public:
  bool wants(std::string_view) override { return true; }
  bool wants_histograms() override { return true; }
  std::optional<SeriesRef> series(Labels) override { return 0; }
  void samples(SeriesRef, std::span<const Sample>) override {}
};

void decode(std::string_view data) {
  // Memory of its own, so that a step too far is seen.
  const std::string padded = std::string(data) + std::string(tsdb::BitReader::kPadding, '\0');
  const std::string_view chunk = std::string_view(padded).substr(0, data.size());
  tsdb::ChunkSamples out;
  tsdb::decode_xor(chunk, out.floats);
  tsdb::decode_xor2(chunk, out.floats);
  tsdb::decode_averages(chunk, 300'000, out.floats);
  tsdb::CounterTotal().decode(chunk, out.floats);
  for (const bool floats : {false, true})
    for (const bool start_times : {false, true}) {
      out.clear();
      tsdb::decode_histograms(chunk, {floats, start_times}, out.histograms);
      // A few bytes make hundreds of them: to print each would take nine tenths of the time.
      for (const auto& h : out.histograms | std::views::take(4)) to_json(h);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  decode(bytes);
  tsdb::Tombstones::read(bytes);
  const std::size_t cut = size / 2;
  const auto block =
      tsdb::open_block({.folder = "b",
                        .meta = size % 2 ? R"({"version":1,"thanos":{"downsample":{"resolution":7}}})"
                                         : R"({"version":1,"ulid":"U"})",
                        .index = bytes.substr(0, cut),
                        .segments = {{"b/chunks/000001", bytes.substr(cut)}}});
  Sink sink;
  if (block) {
    tsdb::read_blocks({&*block, 1}, sink);
    tsdb::read_blocks({&*block, 1}, sink, {.share = {1, 3}});
  }
  tsdb::ChunkSamples out;
  tsdb::read_chunk(bytes, 0, true, out);
  return 0;
}
