#pragma once
// Formats: bytes to values and back; the only rooms that know a syntax. Nothing here touches a file.
// This header: the narrow door through which every reader of samples (text, JSON, blocks) hands them out.

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace etiage::formats {

struct Label {
  std::string_view name, value;

  bool operator==(const Label&) const = default;
};
/// Sorted by name, `__name__` among them, no empty values; the views live only as long as the call.
using Labels = std::span<const Label>;

/// The value of a label, or empty where it is absent (Prometheus does not tell the two apart).
std::string_view label_value(Labels labels, std::string_view name);

struct Sample {
  std::int64_t ms = 0;  ///< Unix milliseconds
  double value = 0;     ///< NaN payload kept: a stale marker is told by `is_stale`
};

/// Prometheus's stale marker: a NaN of one payload.
inline constexpr std::uint64_t kStaleBits = 0x7ff0000000000002;
inline bool is_stale(double value) {
  return std::bit_cast<std::uint64_t>(value) == kStaleBits;
}
inline double stale_marker() {
  return std::bit_cast<double>(kStaleBits);
}

/// What a visitor calls a series; its own numbering.
using SeriesRef = std::uint32_t;

/// A native histogram sample, already as JSON text in the form of CONTRACT.md (`inspect --samples`).
struct HistogramSample {
  std::int64_t ms = 0;
  std::string_view json;
};

/// How a metric can be read where only aggregates of it are left (blocks that Thanos downsampled).
enum class Downsampled : std::uint8_t {
  kNever,    ///< single samples matter
  kAverage,  ///< a gauge
  kMaximum,  ///< a value that does not change, or of which the largest counts
  kCounter,
};
/// What the ending of a metric's name says: `_total` and its like are counters, the others gauges.
Downsampled downsampled_by_name(std::string_view metric);

/// Asked before anything is decoded, then told. Calls come from one thread at a time.
class SampleVisitor {
 public:
  virtual ~SampleVisitor() = default;

  /// Whether any series of this metric is wanted; what is not wanted is skipped undecoded.
  virtual bool wants(std::string_view metric) = 0;
  /// A series begins, or comes back (interleaved texts announce it again). Nothing: skip its samples.
  virtual std::optional<SeriesRef> series(Labels labels) = 0;
  /// Samples of the series in the order of the input, not necessarily of time. A text without times uses `ms`
  /// of the scrape.
  virtual void samples(SeriesRef series, std::span<const Sample> samples) = 0;
  virtual Downsampled downsampled(std::string_view metric) { return downsampled_by_name(metric); }
  /// Whether native histograms are wanted; what nobody wants is not decoded.
  virtual bool wants_histograms() { return false; }
  virtual void histogram(SeriesRef, const HistogramSample&) {}
};

}  // namespace etiage::formats
