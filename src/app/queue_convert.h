#pragma once
// Manifests with Kueue's objects in v1beta2.

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"

namespace etiage::app {

struct ConvertedQueues {
  std::vector<Tree> objects;  ///< all of them in the order of the files; others than Kueue's as they were
  Diagnostics diagnostics;    ///< with fields that v1beta2 has no place for
};

/// Fails where no file holds an object.
Result<ConvertedQueues> convert_queues(const std::vector<std::string>& paths);

/// A stream of YAML documents, as kubectl takes it.
std::string to_manifests(const std::vector<Tree>& objects);

}  // namespace etiage::app
