#pragma once
// What files are taken for, and the samples that are in them.

#include <iosfwd>
#include <string>

#include "base/result.h"
#include "formats/text/exposition.h"

namespace etiage::app {

/// One exposition text, read as strictly as Prometheus itself does, its samples as JSON Lines.
Result<void> write_exposition_samples(const std::string& path, formats::ExpositionFormat format,
                                      std::ostream& out);

}  // namespace etiage::app
