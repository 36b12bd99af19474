#pragma once
// All samples of all inputs, merged as a Prometheus querier merges them: for a person to look at, not for the
// ledger.

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "app/sample_lines.h"
#include "formats/samples.h"

namespace etiage::app {

/// Keeps everything in memory, 24 bytes a sample.
class SampleTable final : public formats::SampleVisitor {
 public:
  bool wants(std::string_view) override { return true; }
  std::optional<formats::SeriesRef> series(formats::Labels labels) override;
  void samples(formats::SeriesRef series, std::span<const formats::Sample> samples) override;
  bool wants_histograms() override { return true; }
  void histogram(formats::SeriesRef series, const formats::HistogramSample& sample) override;

  /// JSON Lines: series in the order of their labels, samples in order of time, of equal stamps the first
  /// that came.
  void write(std::ostream& out);

 private:
  struct Entry {
    std::int64_t ms = 0;
    double value = 0;
    std::uint32_t histogram = 0;  ///< its JSON in `histograms_`, counted from 1; 0: a float
  };
  void write_series(std::ostream& out, const OwnedLabels& labels, std::vector<Entry>& entries) const;

  std::map<OwnedLabels, formats::SeriesRef> refs_;
  std::vector<std::vector<Entry>> series_;
  std::vector<std::string> histograms_;
};

}  // namespace etiage::app
