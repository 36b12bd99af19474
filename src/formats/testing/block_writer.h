#pragma once
// Small blocks for tests, written as prometheus/prometheus tsdb/docs/format says.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/samples.h"
#include "formats/tsdb/block.h"
#include "formats/tsdb/chunk.h"

namespace etiage::formats::testing {

struct WrittenChunk {
  std::int64_t min_ms = 0, max_ms = 0;
  tsdb::ChunkEncoding encoding = tsdb::ChunkEncoding::kXor;
  std::string data;
};

/// The samples as a chunk of encoding XOR, in the longest form of each field.
std::string xor_data(const std::vector<Sample>& samples);
WrittenChunk xor_chunk(const std::vector<Sample>& samples);
/// As Thanos packs the five aggregates of a chunk; empty ones are left out.
WrittenChunk aggregate_chunk(const std::vector<std::vector<Sample>>& aggregates);

struct WrittenSeries {
  std::map<std::string, std::string> labels;
  std::vector<WrittenChunk> chunks;
};

struct WrittenBlock {
  std::string meta, index, segment;

  tsdb::BlockFiles files(const std::string& folder) const {
    return {.folder = folder,
            .meta = meta,
            .index = index,
            .tombstones = {},
            .segments = {{folder + "/chunks/000001", segment}}};
  }
};

/// `series` in the order of their labels.
WrittenBlock write_block(std::string meta, const std::vector<WrittenSeries>& series);

}  // namespace etiage::formats::testing
