#pragma once
// The objects that decide about devices, from the files that the user gave.

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "engines/dra/scheduling.h"

namespace etiage::app {

struct DraInput {
  dra::ClusterObjects objects;
  std::vector<Place> most_allocated;  ///< KubeSchedulerConfigurations that score MostAllocated
  std::vector<std::string> files;     ///< that were read
  Diagnostics diagnostics;            ///< damage, and what could not be used
};

DraInput read_dra_objects(const std::vector<std::string>& paths);

/// Objects that are read already; `file` is for messages.
DraInput read_dra_objects(const std::vector<Tree>& objects, const std::string& file);

/// Where the files hold no Node: one for each that a slice names, so that a dump of slices alone can be
/// looked at.
void add_nodes_of_slices(DraInput& input);

/// `1.37`, `v1.36.2` to a release that the engine knows (1.34 to 1.37).
Result<KubernetesVersion> read_kubernetes_version(std::string_view text);

/// The release and gates as given on the command line (`1.37`, `A=true,B=false`); empty: the newest, its
/// defaults. A gate that nobody reads becomes a warning.
Result<dra::Behaviour> read_behaviour(const std::string& version, const std::string& gates,
                                      Diagnostics& diagnostics);

}  // namespace etiage::app
