#pragma once
// The command line to a command and its arguments.

#include <variant>

#include "cli/command.h"

namespace etiage::cli {

struct Parsed {
  const Command* command;
  Arguments arguments;
};

/// Help and wrong usage are written to `io`; the int is the exit status then.
std::variant<Parsed, int> parse(const std::vector<Command>& commands, int argc, char** argv, Streams& io);

}  // namespace etiage::cli
