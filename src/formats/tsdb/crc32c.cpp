#include "formats/tsdb/crc32c.h"

#include <array>
#include <cstring>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace etiage::formats::tsdb {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // reflected

constexpr std::array<std::uint32_t, 256> kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ kPolynomial : c >> 1;
    table[i] = c;
  }
  return table;
}();

std::uint32_t by_table(std::uint32_t crc, std::string_view bytes) {
  for (const char b : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(b)) & 0xff] ^ crc >> 8;
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t crc, std::string_view bytes) {
  std::uint64_t wide = crc;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    wide = _mm_crc32_u64(wide, word);
  }
  crc = static_cast<std::uint32_t>(wide);
  for (const char b : bytes) crc = _mm_crc32_u8(crc, static_cast<unsigned char>(b));
  return crc;
}

bool has_instruction() {
  static const bool has = __builtin_cpu_supports("sse4.2");
  return has;
}
#else
std::uint32_t by_instruction(std::uint32_t crc, std::string_view bytes) {
  return by_table(crc, bytes);
}
bool has_instruction() {
  return false;
}
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  return ~(has_instruction() ? by_instruction(~0u, bytes) : by_table(~0u, bytes));
}

}  // namespace etiage::formats::tsdb
