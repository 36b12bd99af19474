#pragma once
// How large must it be: one model over all cards, or a table of questions.

#include <iosfwd>
#include <string>

#include "base/result.h"

namespace etiage::app {

enum class RowsFormat { kCsv, kJson };

/// Answers `path` (sizing/rows.h), a row as soon as it is read.
Result<void> size_rows(const std::string& path, RowsFormat format, bool with_terms, std::ostream& out);

}  // namespace etiage::app
