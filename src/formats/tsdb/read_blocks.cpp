#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "formats/tsdb/aggregates.h"
#include "formats/tsdb/block.h"
#include "formats/tsdb/block_cursor.h"
#include "formats/tsdb/chunk.h"
#include "formats/tsdb/series_merge.h"

namespace etiage::formats::tsdb {
namespace {

constexpr std::size_t kBatch = 512;

/// For each downsampled block the times that finer blocks hold.
std::map<const Block*, std::vector<DeletedRange>> covered_by_finer(std::span<const Block* const> blocks) {
  std::map<const Block*, std::vector<DeletedRange>> out;
  for (const Block* coarse : blocks)
    for (const Block* fine : blocks)
      if (fine->meta.downsampled_ms < coarse->meta.downsampled_ms)
        out[coarse].push_back({fine->meta.min_ms, fine->meta.max_ms - 1});
  return out;
}

/// The series of a metric, found among all: where the list of them is damaged.
Postings searched(const Index& index, std::string_view metric) {
  std::vector<std::uint32_t> out;
  const Postings all = index.all() ? index.postings(*index.all()).value_or(Postings()) : Postings();
  IndexSeries series;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (index.series(all[i], series) && label_value(series.labels, "__name__") == metric)
      out.push_back(all[i]);
  return Postings(std::move(out));
}

/// Which series of a list are meant.
enum class Which : std::uint8_t { kAll, kNameless };

/// Reads the blocks of one origin (equal external labels).
class Reading {
 public:
  Reading(std::vector<const Block*> blocks, const ExternalLabels& external, SampleVisitor& visitor,
          const BlockOptions& options, ReadReport& report)
      : covered_(covered_by_finer(blocks)),
        blocks_(std::move(blocks)),
        external_(external),
        visitor_(visitor),
        options_(options),
        report_(report),
        histograms_(visitor.wants_histograms()) {}

  void run();

 private:
  std::vector<std::string_view> metric_names() const;
  void read_metric(std::string_view name);
  void read_nameless();
  void add_cursor(std::vector<BlockCursor>& cursors, const Block& block, std::uint64_t postings);
  void read_merged(std::vector<BlockCursor>& cursors, Which which);
  bool advance(BlockCursor& cursor, Which which);
  void read_series(std::span<BlockCursor* const> same);
  std::optional<SeriesRef> announce(const BlockCursor& cursor);
  void stream(SeriesRef ref, std::span<BlockCursor* const> same);
  void merge(SeriesRef ref, std::span<BlockCursor* const> same);
  void read_chunk(const BlockCursor& cursor, const ChunkMeta& chunk);
  void read_aggregates(const BlockCursor& cursor);
  void flush(SeriesRef ref);
  void give(SeriesRef ref, const NativeHistogram& histogram);
  void damaged_index(const Block& block, std::string_view reason) {
    report_.drop(reason, {.file = block.folder + "/index"});
  }

  std::map<const Block*, std::vector<DeletedRange>> covered_;  ///< of downsampled blocks
  std::vector<const Block*> blocks_;
  const ExternalLabels& external_;
  SampleVisitor& visitor_;
  const BlockOptions& options_;
  std::uint64_t done_ = 0, total_ = 0;  ///< entries of series
  ReadReport& report_;
  bool histograms_;
  ChunkSamples samples_;
  std::vector<Label> labels_;
  std::string_view metric_;  ///< that is being read, and how where it is downsampled
  Downsampled downsampled_ = Downsampled::kAverage;
  CounterTotal counter_;  ///< of the series that is being read
};

void Reading::run() {
  for (const Block* b : blocks_)
    for (const MetricPostings& m : b->index.metrics())
      if (options_.progress && visitor_.wants(m.name)) total_ += b->index.postings_count(m.offset);
  for (const std::string_view name : metric_names())
    if (!name.empty() && visitor_.wants(name)) read_metric(name);
  if (visitor_.wants("")) read_nameless();
}

/// Of all blocks, each once, sorted.
std::vector<std::string_view> Reading::metric_names() const {
  std::vector<std::string_view> names;
  for (const Block* b : blocks_)
    for (const MetricPostings& m : b->index.metrics()) names.push_back(m.name);
  std::ranges::sort(names);
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
  return names;
}

void Reading::read_metric(std::string_view name) {
  metric_ = name;
  downsampled_ = visitor_.downsampled(name);
  std::vector<BlockCursor> cursors;
  for (const Block* b : blocks_) {
    const auto& metrics = b->index.metrics();
    const auto at = std::ranges::lower_bound(metrics, name, {}, &MetricPostings::name);
    if (at != metrics.end() && at->name == name) add_cursor(cursors, *b, at->offset);
  }
  read_merged(cursors, Which::kAll);
}

void Reading::read_nameless() {
  metric_ = {};
  std::vector<BlockCursor> cursors;
  for (const Block* b : blocks_)
    if (b->index.all()) add_cursor(cursors, *b, *b->index.all());
  read_merged(cursors, Which::kNameless);
}

void Reading::add_cursor(std::vector<BlockCursor>& cursors, const Block& block, std::uint64_t postings) {
  auto ids = block.index.postings(postings);
  if (!ids && options_.share.index == 0) damaged_index(block, "a list of series does not match its checksum");
  if (!ids) ids = searched(block.index, metric_);
  const std::size_t size = ids->size();
  if (size > 0) cursors.push_back({.block = &block, .ids = std::move(*ids), .end = size});
}

/// To the next series that is meant; damaged entries are passed over.
bool Reading::advance(BlockCursor& cursor, Which which) {
  while (cursor.next < cursor.end) {
    cursor.id = cursor.ids[cursor.next++];
    constexpr std::uint64_t kTellEach = 512;
    if (++done_ % kTellEach == 0 && options_.progress) options_.progress(done_, total_);
    if (!cursor.block->index.series(cursor.id, cursor.series)) {
      damaged_index(*cursor.block, "the entry of a series does not match its checksum");
    } else if (which == Which::kAll || label_value(cursor.series.labels, "__name__").empty()) {
      return true;
    }
  }
  return false;
}

/// Series by series in the order of their labels, those that several blocks hold together.
void Reading::read_merged(std::vector<BlockCursor>& cursors, Which which) {
  narrow(cursors, options_.share);
  std::erase_if(cursors, [&](BlockCursor& c) { return !advance(c, which); });
  while (!cursors.empty()) {
    const std::vector<BlockCursor*> same = of_least_series(cursors);
    read_series(same);
    std::vector<const Block*> done;
    for (BlockCursor* c : same)
      if (!advance(*c, which)) done.push_back(c->block);
    std::erase_if(cursors,
                  [&](const BlockCursor& c) { return std::ranges::find(done, c.block) != done.end(); });
  }
}

void Reading::read_series(std::span<BlockCursor* const> same) {
  counter_ = {};
  const auto ref = announce(*same.front());
  if (!ref) return;
  if (one_after_another(same))
    stream(*ref, same);
  else
    merge(*ref, same);
}

std::optional<SeriesRef> Reading::announce(const BlockCursor& cursor) {
  if (external_.empty()) return visitor_.series(cursor.series.labels);
  // The labels of the origin win, as in Thanos.
  labels_.clear();
  for (const auto& [name, value] : external_) labels_.push_back({name, value});
  for (const Label& l : cursor.series.labels)
    if (std::ranges::find(external_, l.name, [](const auto& e) -> std::string_view { return e.first; }) ==
        external_.end())
      labels_.push_back(l);
  std::ranges::sort(labels_, {}, &Label::name);
  return visitor_.series(labels_);
}

/// Block after block, chunk after chunk, as they come.
void Reading::stream(SeriesRef ref, std::span<BlockCursor* const> same) {
  for (const BlockCursor* cursor : same)
    for (const ChunkMeta& chunk : cursor->series.chunks) {
      read_chunk(*cursor, chunk);
      if (samples_.floats.size() >= kBatch || !samples_.histograms.empty()) flush(ref);
    }
  flush(ref);
}

/// Everything that the blocks hold of the series at once, then in order.
void Reading::merge(SeriesRef ref, std::span<BlockCursor* const> same) {
  std::vector<BlockSamples> blocks(same.size());
  std::deque<NativeHistogram> histograms;
  for (std::size_t i = 0; i < same.size(); ++i)
    for (const ChunkMeta& chunk : same[i]->series.chunks) {
      samples_.clear();
      read_chunk(*same[i], chunk);
      for (const Sample& s : samples_.floats) blocks[i].push_back({s.ms, s.value});
      for (NativeHistogram& h : samples_.histograms) {
        const std::int64_t ms = h.ms;
        blocks[i].push_back({ms, 0, &histograms.emplace_back(std::move(h))});
      }
    }
  samples_.clear();
  for (const MergedSample& s : merge_samples(blocks)) {
    if (s.histogram == nullptr) {
      samples_.floats.push_back({s.ms, s.value});
      continue;
    }
    flush(ref);
    NativeHistogram h = *s.histogram;
    if (s.after_other && h.hint != ResetHint::kGauge) h.hint = ResetHint::kUnknown;
    give(ref, h);
  }
  flush(ref);
}

void Reading::read_chunk(const BlockCursor& cursor, const ChunkMeta& chunk) {
  const auto& segments = cursor.block->segments;
  const std::uint64_t segment = chunk.ref >> 32;
  const std::size_t floats = samples_.floats.size();
  const std::size_t histograms = samples_.histograms.size();
  if (segment >= segments.size()) {
    report_.drop("a file of chunks is missing", {.file = cursor.block->folder + "/chunks"});
    return;
  }
  const std::string_view fault =
      tsdb::read_chunk(segments[segment].bytes, chunk.ref & 0xffffffff, histograms_, samples_);
  if (!fault.empty()) report_.drop(fault, {.file = segments[segment].file});
  if (samples_.aggregates_size > 0) read_aggregates(cursor);
  const auto deleted = cursor.block->tombstones.of(cursor.id);
  const auto covered = covered_.find(cursor.block);
  if (deleted.empty() && covered == covered_.end()) return;
  const auto gone = [&](const auto& sample) {
    return is_deleted(deleted, sample.ms) ||
           (covered != covered_.end() && is_deleted(covered->second, sample.ms));
  };
  samples_.floats.erase(std::remove_if(samples_.floats.begin() + static_cast<std::ptrdiff_t>(floats),
                                       samples_.floats.end(), gone),
                        samples_.floats.end());
  samples_.histograms.erase(
      std::remove_if(samples_.histograms.begin() + static_cast<std::ptrdiff_t>(histograms),
                     samples_.histograms.end(), gone),
      samples_.histograms.end());
}

void Reading::read_aggregates(const BlockCursor& cursor) {
  const auto data =
      std::string_view(samples_.aggregates).substr(0, std::exchange(samples_.aggregates_size, 0));
  std::string_view fault;
  switch (downsampled_) {
    case Downsampled::kNever:
      report_.drop(fmt::format("of {} the block holds aggregates by {} s only, and its samples are needed",
                               metric_, cursor.block->meta.downsampled_ms / 1000),
                   {.file = cursor.block->folder});
      return;
    case Downsampled::kAverage:
      fault = decode_averages(data, cursor.block->meta.downsampled_ms, samples_.floats);
      break;
    case Downsampled::kMaximum:
      fault = decode_maxima(data, cursor.block->meta.downsampled_ms, samples_.floats);
      break;
    case Downsampled::kCounter:
      fault = counter_.decode(data, samples_.floats);
      break;
  }
  if (!fault.empty()) report_.drop(fault, {.file = cursor.block->folder + "/chunks"});
}

/// A chunk holds floats or histograms, so floats that wait are the earlier ones.
void Reading::flush(SeriesRef ref) {
  if (!samples_.floats.empty()) visitor_.samples(ref, samples_.floats);
  report_.count(samples_.floats);
  for (const NativeHistogram& h : samples_.histograms) give(ref, h);
  samples_.clear();
}

void Reading::give(SeriesRef ref, const NativeHistogram& histogram) {
  const std::string json = to_json(histogram);
  visitor_.histogram(ref, {histogram.ms, json});
  const Sample counted{histogram.ms, 0};
  report_.count({&counted, 1});
}

}  // namespace

ReadReport read_blocks(std::span<const Block> blocks, SampleVisitor& visitor, const BlockOptions& options) {
  ReadReport report;
  report.timed = report.complete = true;
  std::map<ExternalLabels, std::vector<const Block*>> origins;
  for (const Block& b : blocks)
    origins[options.external_labels ? b.meta.external_labels : ExternalLabels{}].push_back(&b);
  for (auto& [labels, same_origin] : origins) {
    std::ranges::stable_sort(same_origin, {}, [](const Block* b) { return b->meta.min_ms; });
    Reading(std::move(same_origin), labels, visitor, options, report).run();
  }
  return report;
}

}  // namespace etiage::formats::tsdb
