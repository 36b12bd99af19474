#pragma once
// Just enough UTF-8 to tell text from bytes.

#include <cstddef>
#include <string_view>

namespace etiage {

/// Bytes of the character that `text` begins with; 0 where it is empty or no valid UTF-8 (overlong,
/// surrogate, cut).
std::size_t utf8_length(std::string_view text);
/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace etiage
