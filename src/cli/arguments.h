#pragma once
// The command line to a command and its arguments, as GNU and kubectl users write them: `--name VALUE`,
// `--name=VALUE`,
// `-n VALUE`, `-nVALUE`, options anywhere, `--` before what is no option.

#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"

namespace etiage::cli {

struct Parsed {
  const Command* command;
  Arguments arguments;
};

/// What keeps a command line from being run, and the help that the user should read.
struct WrongUsage {
  std::string message;  ///< empty: no command was given
  std::string see;      ///< the command or group that was meant, as far as it is known
};

/// `--help` somewhere: the help of `command` (a command, a group, or empty for the whole).
struct HelpWanted {
  std::string command;
};

/// `words` without the program's name. The pointer in `Parsed` is into `commands`.
std::variant<Parsed, WrongUsage, HelpWanted> parse(const std::vector<Command>& commands,
                                                   const std::vector<std::string>& words);

/// The option that `word` names (`--prices`, `-p`, without a value), or null.
const Option* find_option(const std::vector<Option>& options, std::string_view word);

/// The long name of an option: what `Arguments` files it under.
std::string long_name(const Option& option);

/// How many words a command line begins with that name a command (`queue admit`: 2) and which; null where
/// none does.
struct Named {
  const Command* command = nullptr;
  std::size_t words = 0;
};
Named find_command(const std::vector<Command>& commands, const std::vector<std::string>& words);

/// Whether commands of two words begin with this one.
bool is_group(const std::vector<Command>& commands, std::string_view word);

}  // namespace etiage::cli
