#pragma once
// Samples from whatever the user gave: texts, answers of the API, blocks, packed or not.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "adapters/input_file.h"
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

/// Reads the content of `input` into `visitor`, if it is of a kind that holds samples; `scrape_ms` is the
/// time of those that bring none. Damage of the packing becomes a diagnostic.
ReadFile read_sample_file(adapters::InputFile& input, std::int64_t scrape_ms, formats::SampleVisitor& visitor,
                          Diagnostics& diagnostics);

/// Opens a file that may be a pipe with several contents; nothing, and a diagnostic, where that fails.
std::optional<adapters::InputFile> open_input(const std::string& path, Diagnostics& diagnostics);

/// Where blocks come from several Prometheuses whose external labels differ and name no cluster, names one by
/// what tells them apart (`eu/prod`); shards and replicas are of one. Where they are of several tenants, each
/// block's series bear the name of theirs (`formats::kTenantLabel`). `cluster_labels`: as in LoadOptions.
void tell_origins_apart(std::span<formats::tsdb::Block> blocks, std::span<const std::string> cluster_labels);

/// Which of the blocks hold only aggregates, as remarks.
void tell_downsampled(std::span<const formats::tsdb::Block> blocks, Diagnostics& diagnostics);

/// All blocks together, merged; the refused ones become diagnostics (code `block-refused`).
formats::ReadReport read_block_folders(std::span<const std::string> folders,
                                       const formats::tsdb::BlockOptions& options,
                                       formats::SampleVisitor& visitor, Diagnostics& diagnostics);

}  // namespace etiage::app
