#pragma once
// The series of inference engines, each count once: one engine is often seen twice, by two scrape jobs, under
// two names, or once for each rank of its tensor parallel group.

#include <vector>

#include "evidence/device_rows.h"
#include "evidence/series_store.h"

namespace etiage::evidence {

struct EngineSeries {
  const Series* series = nullptr;  ///< its meaning and labels
  PodName pod;
  std::vector<const Series*> scrapes;  ///< of one target, by different jobs; the first is `series`

  std::vector<formats::Sample> samples() const;  ///< of all scrape jobs together
};

/// In the order of the store.
std::vector<EngineSeries> engine_series(const SeriesStore& store);

}  // namespace etiage::evidence
