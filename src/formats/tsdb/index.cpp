#include "formats/tsdb/index.h"

#include <algorithm>
#include <fmt/format.h>

#include "formats/tsdb/byte_reader.h"

namespace etiage::formats::tsdb {
namespace {

constexpr std::uint32_t kMagic = 0xBAAAD700;
constexpr std::size_t kTocSize = 6 * 8 + 4;
constexpr std::uint64_t kSeriesAlignment = 16;

}  // namespace

Result<Index> Index::open(std::string_view bytes) {
  ByteReader header(bytes);
  const std::uint32_t magic = header.u32();
  const std::uint8_t version = header.u8();
  if (header.failed()) return failure("the index is too short for its header");
  if (magic != kMagic) return failure(fmt::format("no index: it begins with {:08x}", magic));
  if (version != 2 && version != 3) return failure(fmt::format("index version {} is not read", version));
  if (bytes.size() < kTocSize) return failure("the index is too short for its table of contents");

  ByteReader end(bytes.substr(bytes.size() - kTocSize));
  const auto contents = checked_section(end, kTocSize - 4);
  if (!contents)
    return failure("the table of contents does not match its checksum: the index is cut or damaged");
  ByteReader toc(*contents);
  const std::uint64_t symbols = toc.u64();
  for (int other = 0; other < 4; ++other) toc.u64();
  const std::uint64_t postings_table = toc.u64();

  Index index;
  index.bytes_ = bytes;
  if (auto read = index.read_symbols(symbols); !read) return std::unexpected(read.error());
  if (auto read = index.read_postings_table(postings_table); !read) return std::unexpected(read.error());
  return index;
}

/// What stands behind its length of four bytes and before its checksum.
std::optional<std::string_view> Index::section(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return std::nullopt;
  ByteReader reader(bytes_.substr(offset));
  const std::uint32_t length = reader.u32();
  return checked_section(reader, length);
}

Result<void> Index::read_symbols(std::uint64_t offset) {
  const auto body = section(offset);
  if (!body) return failure("the symbol table does not match its checksum");
  ByteReader reader(*body);
  const std::uint32_t count = reader.u32();
  symbols_.reserve(std::min<std::size_t>(count, body->size()));
  for (std::uint32_t i = 0; i < count && !reader.failed(); ++i) symbols_.push_back(reader.text());
  if (reader.failed()) return failure("the symbol table ends early");
  return {};
}

Result<void> Index::read_postings_table(std::uint64_t offset) {
  const auto body = section(offset);
  if (!body) return failure("the table of postings does not match its checksum");
  ByteReader reader(*body);
  const std::uint32_t count = reader.u32();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t keys = reader.uvarint();
    const std::string_view name = reader.text();
    const std::string_view value = reader.text();
    const std::uint64_t at = reader.uvarint();
    if (reader.failed() || keys != 2) return failure("the table of postings is damaged");
    if (name == "__name__") metrics_.push_back({value, at});
    if (name.empty()) all_ = at;
  }
  return {};
}

std::optional<Postings> Index::postings(std::uint64_t offset) const {
  const auto body = section(offset);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  const std::uint64_t count = reader.u32();
  const std::string_view ids = reader.take(count * 4);
  if (reader.failed()) return std::nullopt;
  return Postings(ids);
}

std::uint64_t Index::postings_count(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return 0;
  ByteReader reader(bytes_.substr(offset));
  const std::uint32_t bytes = reader.u32();
  return std::min(reader.u32(), bytes / 4);
}

bool Index::series(std::uint32_t id, IndexSeries& out) const {
  out.labels.clear();
  out.chunks.clear();
  const std::uint64_t offset = id * kSeriesAlignment;
  if (offset >= bytes_.size()) return false;
  ByteReader entry(bytes_.substr(offset));
  const auto body = checked_section(entry, entry.uvarint());
  if (!body) return false;
  ByteReader reader(*body);
  for (std::uint64_t left = reader.uvarint(); left > 0; --left) {
    const std::uint64_t name = reader.uvarint();
    const std::uint64_t value = reader.uvarint();
    if (reader.failed() || name >= symbols_.size() || value >= symbols_.size()) return false;
    out.labels.push_back({symbols_[name], symbols_[value]});
  }
  ChunkMeta chunk;
  const std::uint64_t count = reader.uvarint();
  for (std::uint64_t i = 0; i < count && !reader.failed(); ++i) {
    // Differences: the first stamp and place whole, then to the end of the chunk before.
    chunk.min_ms =
        i == 0 ? reader.varint()
               : static_cast<std::int64_t>(static_cast<std::uint64_t>(chunk.max_ms) + reader.uvarint());
    chunk.max_ms = static_cast<std::int64_t>(static_cast<std::uint64_t>(chunk.min_ms) + reader.uvarint());
    chunk.ref = i == 0 ? reader.uvarint() : chunk.ref + static_cast<std::uint64_t>(reader.varint());
    out.chunks.push_back(chunk);
  }
  return !reader.failed();
}

}  // namespace etiage::formats::tsdb
