#include "adapters/tsdb_blocks.h"

#include <algorithm>
#include <filesystem>

namespace etiage::adapters {
namespace {

namespace fs = std::filesystem;
using formats::tsdb::BlockFiles;

/// Maps file after file into `blocks`; the first that cannot be mapped is the error.
class BlockMapping {
 public:
  explicit BlockMapping(std::vector<MappedFile>& files) : files_(files) {}

  Result<BlockFiles> map(const std::string& folder) {
    BlockFiles out{.folder = folder};
    out.meta = bytes(folder + "/meta.json");
    out.index = bytes(folder + "/index");
    if (fs::exists(folder + "/tombstones")) out.tombstones = bytes(folder + "/tombstones");
    for (const std::string& path : segment_paths(folder + "/chunks"))
      out.segments.push_back({path, bytes(path)});
    if (error_) return std::unexpected(*error_);
    return out;
  }

 private:
  std::string_view bytes(const std::string& path) {
    if (error_) return {};
    auto file = MappedFile::open(path);
    if (!file) {
      error_ = file.error();
      return {};
    }
    return files_.emplace_back(std::move(*file)).bytes();
  }

  /// Files named by a number, in order; others are none of ours.
  std::vector<std::string> segment_paths(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
         at.increment(failed)) {
      const std::string name = at->path().filename();
      if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) paths.push_back(at->path());
    }
    if (failed && !error_) error_ = Error{failed.message(), {.file = folder}};
    std::ranges::sort(paths);
    return paths;
  }

  std::vector<MappedFile>& files_;
  std::optional<Error> error_;
};

/// Mimir and Cortex keep a tenant's blocks in a folder of its name, with an index of them beside.
void name_tenant(formats::tsdb::Block& block) {
  const fs::path tenant = fs::path(block.folder).lexically_normal().parent_path();
  std::error_code ignored;
  const bool bucket =
      fs::exists(tenant / "bucket-index.json.gz", ignored) || fs::exists(tenant / "markers", ignored);
  if (block.meta.tenant.empty() && (bucket || block.meta.of_mimir)) block.meta.tenant = tenant.filename();
}

}  // namespace

TsdbBlocks open_tsdb_blocks(std::span<const std::string> folders) {
  TsdbBlocks out;
  for (const std::string& folder : folders) {
    if (folder.find(".tmp-for-") != std::string::npos) {
      out.refused.push_back({"no block: it is still being written or deleted", {.file = folder}});
      continue;
    }
    if (!fs::exists(folder + "/index") &&
        (fs::exists(folder + "/index-header") || fs::exists(folder + "/sparse-index-header"))) {
      out.refused.push_back({"no block: a store gateway's copy of its index header",
                             {.file = folder},
                             "give the block itself, from the bucket"});
      continue;
    }
    const auto files = BlockMapping(out.files).map(folder);
    auto block = files ? formats::tsdb::open_block(*files) : std::unexpected(files.error());
    if (block)
      name_tenant(out.blocks.emplace_back(std::move(*block)));
    else
      out.refused.push_back(std::move(block.error()));
  }
  return out;
}

}  // namespace etiage::adapters
