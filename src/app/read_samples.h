#pragma once
// Samples from whatever the user gave: texts, answers of the API, blocks, packed or not.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "adapters/files.h"
#include "base/diagnostic.h"
#include "formats/kind.h"
#include "formats/read_report.h"
#include "formats/samples.h"
#include "formats/tsdb/block.h"

namespace etiage::app {

/// What was made of one file, or of one folder of blocks.
struct ReadFile {
  std::string path;
  std::string kind;      ///< as listings name it
  bool samples = false;  ///< whether it is a kind that holds samples
  formats::ReadReport report;
};

/// Reads `file` into `visitor`; `scrape_ms` is the time of samples that bring none. A file that cannot be
/// opened, or is damaged where it is packed, becomes a diagnostic. Folders of blocks are left to
/// `read_block_folders`.
ReadFile read_sample_file(const std::string& path, std::int64_t scrape_ms, formats::SampleVisitor& visitor,
                          Diagnostics& diagnostics);

/// All blocks together, merged; the refused ones become diagnostics (code `block-refused`).
formats::ReadReport read_block_folders(std::span<const std::string> folders,
                                       formats::tsdb::BlockOptions options, formats::SampleVisitor& visitor,
                                       Diagnostics& diagnostics);

}  // namespace etiage::app
