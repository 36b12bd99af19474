#pragma once
// The flags that all commands which read a cluster share.

#include "app/scan.h"
#include "cli/command.h"

namespace etiage::cli {

std::vector<Option> reading_options();

/// The options' values; wrong ones are an error of usage.
Result<app::ReadOptions> reading_of(const Arguments& arguments, Streams& io, bool paths_needed = true);

/// On a terminal one line on stderr that is written over, at most ten times a second; elsewhere a line each
/// second where it was `asked` for, and else nothing.
Progress progress_line(Streams& io, bool asked = false);

/// The clock, in Unix milliseconds.
std::int64_t now_ms();

/// Words between commas; empty ones are none.
std::vector<std::string> comma_separated(const std::string& text);

}  // namespace etiage::cli
