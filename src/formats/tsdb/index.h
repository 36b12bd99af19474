#pragma once
// The index of a block (prometheus/prometheus tsdb/docs/format/index.md, versions 2 and 3): which series
// there are, and where their chunks lie.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/samples.h"
#include "formats/tsdb/byte_reader.h"

namespace etiage::formats::tsdb {

/// Where a chunk lies and the times of its first and last sample.
struct ChunkMeta {
  std::int64_t min_ms = 0;
  std::int64_t max_ms = 0;
  std::uint64_t ref = 0;  ///< number of the segment file (from 0) << 32 | offset in it
};

/// A series as it stands in the index; views into it.
struct IndexSeries {
  std::vector<Label> labels;
  std::vector<ChunkMeta> chunks;
};

/// A metric name and where the list of its series stands.
struct MetricPostings {
  std::string_view name;
  std::uint64_t offset = 0;
};

/// A list of series: as it lies in the index, or as it was put together.
class Postings {
 public:
  Postings() = default;
  explicit Postings(std::string_view big_endian) : bytes_(big_endian) {}
  explicit Postings(std::vector<std::uint32_t> ids) : ids_(std::move(ids)) {}

  std::size_t size() const { return bytes_.size() / 4 + ids_.size(); }
  std::uint32_t operator[](std::size_t i) const {
    return bytes_.empty() ? ids_[i] : ByteReader(bytes_.substr(i * 4, 4)).u32();
  }

 private:
  std::string_view bytes_;
  std::vector<std::uint32_t> ids_;
};

class Index {
 public:
  /// Checks header, table of contents, symbols and the table of postings with their sums. `bytes` must
  /// outlive the index.
  static Result<Index> open(std::string_view bytes);

  /// By name; series without a name are under none of them.
  const std::vector<MetricPostings>& metrics() const { return metrics_; }
  /// The list of all series, where there is one.
  std::optional<std::uint64_t> all() const { return all_; }
  /// A list of series, in the order of their labels. Nothing where its sum is wrong.
  std::optional<Postings> postings(std::uint64_t offset) const;
  /// How many series the list says it has.
  std::uint64_t postings_count(std::uint64_t offset) const;
  /// False where the entry is damaged.
  bool series(std::uint32_t id, IndexSeries& out) const;

 private:
  Result<void> read_symbols(std::uint64_t offset);
  Result<void> read_postings_table(std::uint64_t offset);
  std::optional<std::string_view> section(std::uint64_t offset) const;

  std::string_view bytes_;
  std::vector<std::string_view> symbols_;
  std::vector<MetricPostings> metrics_;
  std::optional<std::uint64_t> all_;
};

}  // namespace etiage::formats::tsdb
