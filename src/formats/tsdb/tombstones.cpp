#include "formats/tsdb/tombstones.h"

#include <algorithm>
#include <fmt/format.h>

#include "formats/tsdb/byte_reader.h"

namespace etiage::formats::tsdb {

Result<Tombstones> Tombstones::read(std::string_view bytes) {
  constexpr std::uint32_t kMagic = 0x0130BA30;
  if (bytes.size() < 9) return failure("the tombstones are too short");
  ByteReader file(bytes);
  const std::uint32_t magic = file.u32();
  const std::uint8_t version = file.u8();
  if (magic != kMagic) return failure(fmt::format("no tombstones: they begin with {:08x}", magic));
  if (version != 1) return failure(fmt::format("tombstones of version {} are not read", version));
  const auto body = checked_section(file, bytes.size() - 9);
  if (!body) return failure("the tombstones do not match their checksum");
  Tombstones out;
  for (ByteReader reader(*body); !reader.rest().empty();) {
    const std::uint64_t series = reader.uvarint();
    const std::int64_t first = reader.varint();
    const std::int64_t last = reader.varint();
    if (reader.failed()) return failure("the tombstones end early");
    out.ranges_[series].push_back({first, last});
  }
  return out;
}

std::span<const DeletedRange> Tombstones::of(std::uint64_t series) const {
  const auto at = ranges_.find(series);
  return at == ranges_.end() ? std::span<const DeletedRange>{} : at->second;
}

bool is_deleted(std::span<const DeletedRange> ranges, std::int64_t ms) {
  return std::ranges::any_of(ranges,
                             [ms](const DeletedRange& r) { return r.first_ms <= ms && ms <= r.last_ms; });
}

}  // namespace etiage::formats::tsdb
