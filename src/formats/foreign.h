#pragma once
// Contents that are told by their first bytes and that nobody here reads: what they are, and how to make them
// readable.

#include <optional>
#include <string_view>

namespace etiage::formats {

struct ForeignContent {
  std::string_view what;  ///< `UTF-16 text`, `an xz archive`, ...
  std::string_view hint;
};

/// Nothing where the bytes are text, or binary of no known kind.
std::optional<ForeignContent> foreign_content(std::string_view head);

}  // namespace etiage::formats
