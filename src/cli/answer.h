#pragma once
// How a command says what it found, in whichever form was asked for.

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cli/command.h"
#include "render/table.h"

namespace etiage::cli {

/// The object of CONTRACT.md and the same for people; only what is asked for is made.
struct Answer {
  std::function<std::string()> json;
  /// CSV carries only the first: it is the one that answers the question row by row.
  std::function<std::vector<render::Table>()> tables;
};

/// Prints as `--output` says (`table` where it says nothing). Returns kDone, so that a command can end with
/// it.
int print(const Answer& answer, const Arguments& arguments, Streams& io);

/// The one line of a command that could not do it. Returns kFailed.
int fail(const Error& error, Streams& io);

/// Remarks, one a line, on stderr.
void print(const Diagnostics& diagnostics, Streams& io);

}  // namespace etiage::cli
