#pragma once
// How much room text takes on a terminal, and text that is safe to print there.

#include <string>
#include <string_view>

namespace etiage::render {

/// Columns that UTF-8 `text` takes: 2 for wide East Asian characters and emoji, 0 for combining marks.
int display_width(std::string_view text);

/// Names and labels come from strangers: control characters (escape sequences, line breaks, direction
/// overrides) become `\x1b`-like text, bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

/// At most `width` columns. `org/model` loses first what stands before its last slash, then its end; other
/// names lose their middle, so that the hash behind them stays.
std::string shortened(std::string_view text, int width);

}  // namespace etiage::render
