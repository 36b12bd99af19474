#pragma once
// Help and the man page, both made of the command table.

#include <string>
#include <vector>

#include "cli/command.h"

namespace etiage::cli {

/// The options of a command in two columns at 80, its own first.
std::string option_lines(const std::vector<Option>& options);

/// Help of one command, of a group (`queue`) or, where `name` is empty, of all. `program` is what the user
/// typed: `etiage` or `kubectl etiage`.
std::string help_text(const std::vector<Command>& commands, const std::string& name,
                      const std::string& program);

/// `-p, --prices FILE`
std::string option_words(const Option& option);

/// roff, for man(1).
std::string man_page(const std::vector<Command>& commands);

}  // namespace etiage::cli
