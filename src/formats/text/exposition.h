#pragma once
// Exposition text as Prometheus 3.16 itself accepts, refuses and reads it: all or nothing.

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/samples.h"
#include "formats/text/exposition_lexer.h"

namespace etiage::formats {

using text::ExpositionFormat;

struct ExpositionSample {
  Labels labels;                   ///< sorted by name; empty values kept, as the parser keeps them
  std::optional<std::int64_t> ms;  ///< Unix milliseconds, where the line brings a time
  double value = 0;
};

/// Gives each sample to `take` until the first error, which is returned with its line: a scrape that fails
/// anywhere is dropped whole. `kText`: text/plain; version=0.0.4. `kOpenMetrics`:
/// application/openmetrics-text; version=1.0.0.
Result<void> read_exposition(std::string_view text, ExpositionFormat format,
                             const std::function<void(const ExpositionSample&)>& take);

}  // namespace etiage::formats
