#pragma once
// Evidence: metric dialects, integration of gauges and counters, timelines of who held what; builds
// model/Evidence. This header: the samples of one series, kept small.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evidence/packed_values.h"
#include "formats/samples.h"

namespace etiage::evidence {

/// Samples in the order they came. Scrapes are regular, so times are runs of equal steps; values are packed,
/// or nothing but the newest where only the presence of the series matters.
class Track {
 public:
  explicit Track(bool keep_values = true) : keep_values_(keep_values) {}

  /// Values, where they are kept, gather in `values` until `seal` takes them: one buffer serves series after
  /// series.
  void push(std::span<const formats::Sample> samples, std::vector<double>& values);
  /// Another series is coming: packs what gathered into the arena and empties the buffer.
  void seal(std::vector<double>& values, Arena& arena);
  void append(const Track& other, Arena& arena);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t last_ms() const { return last_; }
  /// The newest finite value, where values are not kept; nothing where there was none.
  std::optional<formats::Sample> newest() const { return newest_; }

  /// Sorted by time, one sample a moment (the first that came); values are 1 or stale where they were not
  /// kept.
  std::vector<formats::Sample> samples() const;
  /// Of the values; nothing where they were not kept or none is a number.
  std::optional<ValueRange> range() const { return values_.range(); }
  /// Whether the samples and stale markers of both came at the same times, in order; false where that is not
  /// told at a glance.
  bool same_times(const Track& other) const;
  /// The stamps of `samples()` that are no stale markers.
  std::vector<std::int64_t> stamps() const;

 private:
  struct Run {
    std::int64_t start, step;
    std::uint32_t count;
    bool stale;  ///< a run of stale markers

    bool operator==(const Run&) const = default;
  };
  template <class F>
  static void for_each_stamp(const Run& run, F&& f);
  void push_time(std::int64_t ms, bool stale);
  std::size_t extend(std::span<const formats::Sample> samples);
  void note(formats::Sample sample);

  std::vector<Run> runs_;
  PackedValues values_;
  std::optional<formats::Sample> newest_;
  std::int64_t last_ = 0;
  std::size_t size_ = 0;
  bool keep_values_;
  bool sorted_ = true;
};

}  // namespace etiage::evidence
