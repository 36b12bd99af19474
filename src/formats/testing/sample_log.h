#pragma once
// For tests of readers: what came through the door, as lines of text.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/samples.h"

namespace etiage::formats {

class SampleLog : public SampleVisitor {
 public:
  /// Wants all metrics where `wanted` is empty.
  explicit SampleLog(std::set<std::string> wanted) : wanted_(std::move(wanted)) {}

  bool wants(std::string_view metric) override {
    return wanted_.empty() || wanted_.contains(std::string(metric));
  }
  std::optional<SeriesRef> series(Labels labels) override;
  void samples(SeriesRef series, std::span<const Sample> samples) override;
  bool wants_histograms() override { return true; }
  void histogram(SeriesRef series, const HistogramSample& sample) override;

  /// A line for each time that a series was announced, with the samples that followed: `{a="b"} value@ms
  /// ...`.
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::set<std::string> wanted_;
  std::vector<std::string> lines_;
};

}  // namespace etiage::formats
