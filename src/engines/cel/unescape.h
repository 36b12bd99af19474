#pragma once
// The text that a string or bytes literal stands for.

#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage::cel {

/// `literal` with its quotes and its `r`, but without the `b` of bytes.
Result<std::string> unescape(std::string_view literal, bool bytes);

}  // namespace etiage::cel
