#include "app/sample_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace etiage::app {

std::optional<formats::SeriesRef> SampleTable::series(formats::Labels labels) {
  const auto [at, added] = refs_.try_emplace(owned(labels), static_cast<formats::SeriesRef>(series_.size()));
  if (added) series_.emplace_back();
  return at->second;
}

void SampleTable::samples(formats::SeriesRef series, std::span<const formats::Sample> samples) {
  for (const formats::Sample& s : samples) series_[series].push_back({s.ms, s.value});
}

void SampleTable::histogram(formats::SeriesRef series, const formats::HistogramSample& sample) {
  histograms_.emplace_back(sample.json);
  series_[series].push_back({sample.ms, 0, static_cast<std::uint32_t>(histograms_.size())});
}

void SampleTable::write(std::ostream& out) {
  for (const auto& [labels, ref] : refs_) write_series(out, labels, series_[ref]);
}

void SampleTable::write_series(std::ostream& out, const OwnedLabels& labels,
                               std::vector<Entry>& entries) const {
  std::ranges::stable_sort(entries, {}, &Entry::ms);
  std::string line;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& e = entries[i];
    if (i > 0 && entries[i - 1].ms == e.ms) continue;
    if (!line.empty()) line += ',';
    fmt::format_to(std::back_inserter(line), "[{},", e.ms);
    line += e.histogram != 0 ? histograms_[e.histogram - 1] : '"' + sample_text(e.value) + '"';
    line += ']';
  }
  // A series whose samples are all deleted or damaged is no series.
  if (!line.empty()) write_series_line(out, labels, line);
}

}  // namespace etiage::app
