#pragma once
// Volcano's scheduler configuration: the text of a ConfigMap, or a file of its own, and the rules that it
// makes.

#include <optional>
#include <vector>

#include "app/objects.h"
#include "engines/placement/volcano/cycle.h"

namespace etiage::app {

/// What stands in a ConfigMap's `volcano-scheduler.conf`, with the line of that text.
std::optional<Tree> volcano_configuration(const LocatedObject& object, Diagnostics& diagnostics);

placement::volcano::Rules volcano_rules(const Tree& configuration);

}  // namespace etiage::app
