#pragma once
// Big-endian numbers and Go's varints from bytes of which nothing is believed.

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/tsdb/crc32c.h"

namespace etiage::formats::tsdb {

/// Reads from the front. Once something does not fit all further reads give 0, and `failed` says so.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  std::string_view rest() const { return rest_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(big_endian(1)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(big_endian(4)); }
  std::uint64_t u64() { return big_endian(8); }

  std::uint64_t uvarint() {
    if (!rest_.empty() && static_cast<signed char>(rest_.front()) >= 0) {  // most are of one byte
      const auto value = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      return value;
    }
    return long_uvarint();
  }
  std::uint64_t long_uvarint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  /// Zigzag: small negative numbers are short too.
  std::int64_t varint() {
    const std::uint64_t u = uvarint();
    return static_cast<std::int64_t>(u >> 1) ^ -static_cast<std::int64_t>(u & 1);
  }
  std::string_view take(std::uint64_t n) {
    if (n > rest_.size()) return fail(), std::string_view{};
    const std::string_view out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return out;
  }
  /// A text behind its length.
  std::string_view text() { return take(uvarint()); }

 private:
  std::uint64_t big_endian(std::size_t n) {
    std::uint64_t value = 0;
    for (const char b : take(n)) value = value << 8 | static_cast<unsigned char>(b);
    return value;
  }
  std::uint64_t fail() {
    failed_ = true;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool failed_ = false;
};

/// A section with its checksum behind it: `length` bytes at the front of `reader`; nothing where they are not
/// all there or the sum is wrong.
inline std::optional<std::string_view> checked_section(ByteReader& reader, std::uint64_t length) {
  const std::string_view body = reader.take(length);
  const std::uint32_t sum = reader.u32();
  if (reader.failed() || crc32c(body) != sum) return std::nullopt;
  return body;
}

}  // namespace etiage::formats::tsdb
