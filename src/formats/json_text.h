#pragma once
// What stands inside the tokens of JSON: numbers, and the escapes of strings.

#include <optional>
#include <string>
#include <string_view>

namespace etiage::formats {

/// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_json_number(std::string_view s);

/// NaN or an infinity in a usual spelling: many programs write them, and JSON has none.
bool is_not_finite(std::string_view word);

/// Decodes what stands between two quotes into `out`; a lone surrogate escape becomes U+FFFD. Returns the
/// letter of an escape that JSON does not know, where there is one.
std::optional<char> decode_json_string(std::string_view raw, std::string& out);

}  // namespace etiage::formats
