#pragma once
// A native histogram sample and its JSON.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace etiage::formats::tsdb {

/// What is known of a counter reset between the sample before and this one.
enum class ResetHint : std::uint8_t { kUnknown, kNoReset, kGauge };

struct NativeHistogram {
  /// Buckets that follow each other, `offset` empty ones after the span before.
  struct Span {
    std::int32_t offset = 0;
    std::uint32_t length = 0;
  };
  /// Absolute counts of the buckets in the spans: of integer histograms, or of float histograms.
  using Counts = std::variant<std::vector<std::int64_t>, std::vector<double>>;

  std::int64_t ms = 0;
  ResetHint hint = ResetHint::kUnknown;
  std::int32_t schema = 0;  ///< -53: buckets of its own, bounds in `custom_values`
  double zero_threshold = 0;
  std::variant<std::uint64_t, double> zero_count;
  std::variant<std::uint64_t, double> count;
  double sum = 0;  ///< the stale marker makes the whole sample one
  std::vector<Span> positive_spans, negative_spans;
  Counts positive, negative;
  std::vector<double> custom_values;

  bool is_integer() const { return std::holds_alternative<std::uint64_t>(count); }
};

/// `{"type":"integer","hint":"noReset","schema":3,...}`: numbers as text, empty members left out.
std::string to_json(const NativeHistogram& histogram);

}  // namespace etiage::formats::tsdb
