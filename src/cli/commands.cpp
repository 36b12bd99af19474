// The table of commands, in the order of the help.

#include "cli/commands.h"

#include "cli/command.h"

namespace etiage::cli {

std::vector<Command> all_commands() {
  return {
      version_command(),
  };
}

Option output_option() {
  return {"output,o", "FORMAT", "how to print it", false, {"table", "wide", "json", "yaml", "csv", "md"}};
}

}  // namespace etiage::cli
