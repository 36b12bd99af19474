#pragma once
// The samples that several blocks hold of one series, as one sequence.

#include <cstdint>
#include <span>
#include <vector>

#include "formats/samples.h"
#include "formats/tsdb/chunk.h"

namespace etiage::formats::tsdb {

/// A sample of either kind, on its way through the merge.
struct MergedSample {
  std::int64_t ms = 0;
  double value = 0;
  const NativeHistogram* histogram = nullptr;  ///< null: a float
  bool after_other =
      false;  ///< the sample before came from another block: what is known of counter resets is void
};

/// The samples of one block, in order of time.
using BlockSamples = std::vector<MergedSample>;

/// In order of time, of equal stamps one. Which one follows Prometheus's chained iterators: the heap is
/// theirs, step by step, since which block a sample comes from decides about the reset hints of histograms.
std::vector<MergedSample> merge_samples(std::span<const BlockSamples> blocks);

}  // namespace etiage::formats::tsdb
