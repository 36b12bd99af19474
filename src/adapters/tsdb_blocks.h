#pragma once
// Blocks of Prometheus on disk: their folders mapped, never written to.

#include <span>
#include <string>
#include <vector>

#include "adapters/mapped_file.h"
#include "formats/tsdb/block.h"

namespace etiage::adapters {

struct TsdbBlocks {
  std::vector<MappedFile> files;  ///< what the blocks point into
  std::vector<formats::tsdb::Block> blocks;
  std::vector<Error> refused;  ///< with the folder or file as place
};

/// Opens each folder as a block: `meta.json`, `index`, `chunks/`, and `tombstones` where there are any. One
/// that is still being written or deleted (`ULID.tmp-for-creation`) or that is damaged is refused, and the
/// others are used.
TsdbBlocks open_tsdb_blocks(std::span<const std::string> folders);

}  // namespace etiage::adapters
