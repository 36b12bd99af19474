#include "formats/tsdb/block.h"

#include "formats/tsdb/chunk.h"

namespace etiage::formats::tsdb {
namespace {

std::unexpected<Error> in_file(Error error, const std::string& folder, const char* file) {
  error.place.file = folder + '/' + file;
  return std::unexpected(std::move(error));
}

}  // namespace

Result<Block> open_block(const BlockFiles& files) {
  auto meta = read_meta(files.meta);
  if (!meta) return in_file(std::move(meta.error()), files.folder, "meta.json");
  auto index = Index::open(files.index);
  if (!index) return in_file(std::move(index.error()), files.folder, "index");
  Tombstones tombstones;
  if (files.tombstones) {
    auto read = Tombstones::read(*files.tombstones);
    if (!read) return in_file(std::move(read.error()), files.folder, "tombstones");
    tombstones = std::move(*read);
  }
  for (const Segment& s : files.segments)
    if (const auto fault = segment_fault(s.bytes); !fault.empty())
      return failure(std::string(fault), {.file = s.file});
  return Block{files.folder, std::move(*meta), std::move(*index), std::move(tombstones), files.segments};
}

}  // namespace etiage::formats::tsdb
