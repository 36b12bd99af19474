#pragma once
// The flags that all commands which read a cluster share.

#include "app/scan.h"
#include "cli/command.h"

namespace etiage::cli {

std::vector<Option> reading_options();

/// The options' values; wrong ones are an error of usage.
Result<app::ReadOptions> reading_of(const Arguments& arguments, Streams& io);

}  // namespace etiage::cli
