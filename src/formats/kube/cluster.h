#pragma once
// The objects of a dump, kind by kind.

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/cluster.h"

namespace etiage::formats {

/// Whether objects of the kind own pods, directly or through others.
bool owns_pods(std::string_view kind);

/// Adds what the objects show to `cluster`. An object that comes again (the same kind, namespace, name and
/// uid) replaces what was there: later files win. Kinds that nobody reads are counted.
void add_objects(Cluster& cluster, const std::vector<Tree>& objects, const std::string& file,
                 Diagnostics& diagnostics);

}  // namespace etiage::formats
