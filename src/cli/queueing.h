#pragma once
// The flags that commands share which decide as Kueue does.

#include <vector>

#include "app/queue_world.h"
#include "cli/command.h"

namespace etiage::cli {

/// --kueue-version, --configuration, --feature-gates, --now.
std::vector<Option> queueing_options();
/// `paths`: what the files are; the rest comes from the flags. An error is wrong usage.
Result<app::QueueQuestion> queue_question(const Arguments& arguments, std::vector<std::string> paths);

}  // namespace etiage::cli
