#include "formats/testing/sample_log.h"

#include <fmt/format.h>

namespace etiage::formats {

std::optional<SeriesRef> SampleLog::series(Labels labels) {
  std::string line = "{";
  for (const Label& l : labels)
    line += fmt::format("{}{}=\"{}\"", line.size() > 1 ? "," : "", l.name, l.value);
  lines_.push_back(line + "}");
  return static_cast<SeriesRef>(lines_.size() - 1);
}

void SampleLog::samples(SeriesRef series, std::span<const Sample> samples) {
  for (const Sample& s : samples)
    lines_.at(series) +=
        is_stale(s.value) ? fmt::format(" stale@{}", s.ms) : fmt::format(" {}@{}", s.value, s.ms);
}

void SampleLog::histogram(SeriesRef series, const HistogramSample& sample) {
  lines_.at(series) += fmt::format(" {}@{}", sample.json, sample.ms);
}

}  // namespace etiage::formats
