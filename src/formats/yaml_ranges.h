#pragma once
// Where a YAML node ends in the bytes of its text; yaml-cpp tells only where it begins.

#include <cstddef>
#include <string_view>

namespace etiage::formats {

/// One past the last byte of the scalar that begins at `begin` and reads as `value`. `indent` is the column
/// of the enclosing block (-1 at the top): a block scalar ends with the last line indented deeper.
std::size_t yaml_scalar_end(std::string_view text, std::size_t begin, std::string_view value, int indent);

/// One past the bracket that closes a flow collection whose last item ends at `from`.
std::size_t yaml_flow_end(std::string_view text, std::size_t from);

}  // namespace etiage::formats
