#pragma once
// CRC-32C (Castagnoli), the checksum of everything in a Prometheus block.

#include <cstdint>
#include <string_view>

namespace etiage::formats::tsdb {

std::uint32_t crc32c(std::string_view bytes);

}  // namespace etiage::formats::tsdb
