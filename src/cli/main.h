#pragma once
// The door of the command line.

#include <string>
#include <vector>

#include "cli/command.h"

namespace etiage::cli {

/// Parses, runs the command, returns its exit status.
int run(int argc, char** argv);

/// The same with the streams given: `called` is the name the program was started by, `words` what stood
/// behind it.
int run(const std::string& called, const std::vector<std::string>& words, Streams& io);

}  // namespace etiage::cli
