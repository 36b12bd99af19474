#pragma once
// Prometheus blocks, as a data directory, a snapshot, Thanos or Mimir keep them: opened over bytes that lie
// in memory, and read merged as Prometheus's querier merges them.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/read_report.h"
#include "formats/samples.h"
#include "formats/tsdb/index.h"
#include "formats/tsdb/meta.h"
#include "formats/tsdb/tombstones.h"

namespace etiage::formats::tsdb {

/// A segment file of chunks.
struct Segment {
  std::string file;
  std::string_view bytes;
};

/// The files of a block; the bytes must outlive what is made from them.
struct BlockFiles {
  std::string folder;
  std::string_view meta, index;
  std::optional<std::string_view> tombstones;
  std::vector<Segment> segments;  ///< in the order of their names
};

struct Block {
  std::string folder;
  BlockMeta meta;
  Index index;
  Tombstones tombstones;
  std::vector<Segment> segments;
};

/// The error names the file.
Result<Block> open_block(const BlockFiles& files);

/// The `index`-th of `count` parts of each metric's series, in order of their labels: so that threads, each
/// with a visitor of its own, share the work.
struct Share {
  std::size_t index = 0;
  std::size_t count = 1;
};

struct BlockOptions {
  Share share;
  /// Whether the labels of the Prometheus that a block came from (Thanos, Mimir) are put on its series, and
  /// blocks of different origin kept apart. Prometheus's own querier knows nothing of them.
  bool external_labels = true;
  /// Told how many entries of series this share is through with, and how many all shares have together.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// Hands out the wanted series of all blocks, those of a metric together, in the order of their labels; each
/// once, its samples in order of time, of equal stamps one. Deleted ranges are left out. Of a block that
/// Thanos downsampled its aggregates are used as the visitor says, and only for times that no finer block of
/// the same origin holds. Damage is counted with its file and reason and the rest used; what can only be
/// found out once is reported with the first share.
ReadReport read_blocks(std::span<const Block> blocks, SampleVisitor& visitor,
                       const BlockOptions& options = {});

}  // namespace etiage::formats::tsdb
