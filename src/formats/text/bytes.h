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

struct QuoteEnd {
  const char* at;  ///< the first `"`, `\` or line feed; the end where there is none
  bool ascii;      ///< nothing but ASCII before it, as far as was looked: if true it is so
};

/// Looks for the end of a quoted text that begins at `p`.
inline QuoteEnd find_quote(const char* p, const char* end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), feed = _mm_set1_epi8('\n');
  int high = 0;
  for (; end - p >= 16; p += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i hit = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
                                     _mm_cmpeq_epi8(v, feed));
    const int above = _mm_movemask_epi8(v);
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hit))) {
      // Bits below the first hit only: what follows is another matter.
      return {p + std::countr_zero(mask),
              ((static_cast<unsigned>(above) & (mask ^ (mask - 1))) | static_cast<unsigned>(high)) == 0};
    }
    high |= above;
  }
#else
  int high = 0;
#endif
  for (; p < end && *p != '"' && *p != '\\' && *p != '\n'; ++p) high |= *p & 0x80;
  return {p, high == 0};
}

/// The first line feed from `p` on; `end` where there is none.
inline const char* find_line_feed(const char* p, const char* end) {
  const void* at = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return at != nullptr ? static_cast<const char*>(at) : end;
}

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline const char* skip_blanks(const char* p, const char* end) {
  while (p < end && is_blank(*p)) ++p;
  return p;
}

}  // namespace etiage::formats::text
