#pragma once
// The flags that commands share which decide as kube-scheduler does.

#include <vector>

#include "cli/command.h"

namespace etiage::cli {

/// --config, --kubernetes-version, --feature-gates.
std::vector<Option> scheduling_options();

}  // namespace etiage::cli
