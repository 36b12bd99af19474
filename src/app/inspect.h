#pragma once
// What files are taken for, and the samples that are in them.

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "base/result.h"
#include "formats/text/exposition.h"

namespace etiage::app {

/// One exposition text, read as strictly as Prometheus itself does, its samples as JSON Lines.
Result<void> write_exposition_samples(const std::string& path, formats::ExpositionFormat format,
                                      std::ostream& out);

/// The samples of all inputs, merged, as JSON Lines; `now_ms` is the time of samples that bring none. What
/// could not be read is returned.
Diagnostics write_merged_samples(std::span<const std::string> paths, std::int64_t now_ms, std::ostream& out);

}  // namespace etiage::app
