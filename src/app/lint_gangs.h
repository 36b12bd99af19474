#pragma once
// Gangs and the room for them, for lint.

#include <vector>

#include "app/objects.h"
#include "explain/lint/lint.h"

namespace etiage::app {

/// Gangs whose pods all ask for the same: of scheduling.k8s.io, of Volcano and of KAI; and the nodes.
void read_gangs(const std::vector<LocatedObject>& objects, explain::LintInput& into);

}  // namespace etiage::app
