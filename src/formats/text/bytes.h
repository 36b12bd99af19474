#pragma once
// Searching bytes sixteen at a time where the machine can (SSE2), one at a time elsewhere.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace etiage::formats::text {

/// The first `"`, `\` or line feed from `p` on; `end` where there is none.
inline const char* find_quote(const char* p, const char* end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), feed = _mm_set1_epi8('\n');
  for (; end - p >= 16; p += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
                                     _mm_cmpeq_epi8(v, feed));
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hit))) return p + std::countr_zero(mask);
  }
#endif
  while (p < end && *p != '"' && *p != '\\' && *p != '\n') ++p;
  return p;
}

/// The first line feed from `p` on; `end` where there is none.
inline const char* find_line_feed(const char* p, const char* end) {
  const void* at = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return at != nullptr ? static_cast<const char*>(at) : end;
}

inline bool is_ascii(std::string_view text) {
  const char* p = text.data();
  std::size_t n = text.size();
  std::uint64_t seen = 0;
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    seen |= word;
  }
  for (; n > 0; ++p, --n) seen |= static_cast<unsigned char>(*p) & 0x80u;
  return (seen & 0x8080808080808080) == 0;
}

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline const char* skip_blanks(const char* p, const char* end) {
  while (p < end && is_blank(*p)) ++p;
  return p;
}

}  // namespace etiage::formats::text
