#pragma once
// The door of the command line.

namespace etiage::cli {

/// Parses, runs the command, returns its exit status.
int run(int argc, char** argv);

}  // namespace etiage::cli
