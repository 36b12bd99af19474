#pragma once
// gzip and Zstandard, unpacked piece by piece.

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage::adapters {

bool is_gzip(std::string_view bytes);
bool is_zstd(std::string_view bytes);

/// The next bytes, in pieces of any size, good until the next call; empty at the end.
using ByteSource = std::function<Result<std::string_view>()>;

/// The bytes of all members of what `packed` gives; what came before a cut or a damaged place comes before
/// the error. `path` is for messages.
ByteSource gunzip(ByteSource packed, std::string path);
ByteSource unzstd(ByteSource packed, std::string path);

}  // namespace etiage::adapters
