#pragma once
// The Kubernetes objects in the files and folders that the user gave.

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"

namespace etiage::app {

struct LocatedObject {
  Tree tree;
  std::string file;
};

/// In the order of the files and inside each; Lists are flattened. What is no object, and damage, is
/// diagnosed; the rest is used.
std::vector<LocatedObject> read_objects(std::span<const std::string> paths, Diagnostics& diagnostics);

/// The same for what stands for one cluster: an object that comes twice counts as it is read last, and is
/// named. Fails where nothing could be read at all.
Result<std::vector<LocatedObject>> read_cluster(std::span<const std::string> paths, Diagnostics& diagnostics);

/// The first document of one file.
Result<Tree> read_document(const std::string& path);

}  // namespace etiage::app
