#pragma once
// The series of Prometheus blocks, for `load`.

#include <span>
#include <string>

#include "adapters/tsdb_blocks.h"
#include "app/load.h"
#include "formats/read_report.h"

namespace etiage::app {

struct LoadedBlocks {
  evidence::SeriesStore series;
  formats::ReadReport report;
  Diagnostics diagnostics;
  adapters::TsdbBlocks mapped;  ///< not needed any more; to let go of many pages takes a moment
};

/// All blocks together: what several hold of a series is merged. `options.threads` share the series in pieces
/// small enough that none waits long for another; the result is the same for any number.
LoadedBlocks load_blocks(std::span<const std::string> folders, const LoadOptions& options);

}  // namespace etiage::app
