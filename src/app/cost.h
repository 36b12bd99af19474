#pragma once
// The bill by keys, and where a figure comes from.

#include <string>

#include "app/scan.h"
#include "render/cost.h"
#include "render/why.h"

namespace etiage::app {

/// Whether the keys and the window to compare with can be understood.
Result<void> check_keys(const std::string& by, const std::string& compare);

/// `by`: keys separated by commas; `compare`: a window to set beside, or empty.
Result<render::Cost> cost_by(const ReadOptions& options, const std::string& by, const std::string& compare);

/// `subject`: KIND/NAME or KIND/NAMESPACE/NAME; kinds: node, pod, namespace, team, model, device, and any
/// workload kind. `reading` must outlive the answer.
Result<render::Why> why(const Reading& reading, const std::string& subject);

}  // namespace etiage::app
