#pragma once
// gzip and Zstandard, unpacked chunk by chunk.

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage::adapters {

bool is_gzip(std::string_view bytes);
bool is_zstd(std::string_view bytes);

/// Hands out the unpacked bytes of all members until `take` returns false. `path` is for messages.
Result<void> unpack_gzip(std::string_view packed, const std::string& path,
                         const std::function<bool(std::string_view)>& take);
Result<void> unpack_zstd(std::string_view packed, const std::string& path,
                         const std::function<bool(std::string_view)>& take);

}  // namespace etiage::adapters
