#pragma once
// Adapters: the only rooms that touch the world. This header: which files the user meant.

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace etiage::adapters {

struct FoundFile {
  enum class Kind {
    kFile,
    kTsdbBlock,       ///< a folder that holds one block of Prometheus: `meta.json`, `index`, `chunks/`
    kTsdbWal,         ///< the write-ahead log beside the blocks
    kTsdbHeadChunks,  ///< `chunks_head`, which belongs to the log
  };
  std::string path;  ///< `-` is standard input
  Kind kind = Kind::kFile;

  bool operator==(const FoundFile&) const = default;
};

struct FoundFiles {
  std::vector<FoundFile> files;
  Diagnostics
      diagnostics;  ///< what is not there or not readable: `no-such-file`, `unreadable`, `given-twice`
};

/// Any mix of files and folders. Folders are walked to the bottom in the order of the names' bytes; hidden
/// entries, and what is neither file nor folder, are passed over there, but taken where named. A file reached
/// twice (a link, a loop) counts once. An archive (tar, packed or not) stands for the files
/// in it: `ARCHIVE/MEMBER`.
FoundFiles find_files(std::span<const std::string> paths);

}  // namespace etiage::adapters
