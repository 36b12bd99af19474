#pragma once
// How much room text takes on a terminal, and text that is safe to print there.

#include <string>
#include <string_view>
#include <vector>

namespace etiage::render {

/// Columns that UTF-8 `text` takes: 2 for wide East Asian characters and emoji, 0 for combining marks.
int display_width(std::string_view text);

/// Names and labels come from strangers: control characters (escape sequences, line breaks, direction
/// overrides) become `\x1b`-like text, bytes that are not UTF-8 become U+FFFD.
std::string printable(std::string_view text);

/// The text over lines of at most `width` columns, broken at blanks; a word that is longer than a line is
/// broken where the line ends, best behind one of `/-._`. Never empty.
std::vector<std::string> folded(std::string_view text, int width);

/// The columns of the longest word between blanks.
int longest_word(std::string_view text);

}  // namespace etiage::render
