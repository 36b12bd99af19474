#pragma once
// Nodes.

#include <string>
#include <utility>
#include <vector>

#include "model/meta.h"

namespace etiage {

struct NodeImage {
  std::vector<std::string> names;
  std::int64_t bytes = 0;

  bool operator==(const NodeImage&) const = default;
};

struct Node {
  ObjectMeta meta;
  bool unschedulable = false;
  std::vector<Taint> taints;
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<Condition> conditions;
  std::string provider_id;
  std::vector<NodeImage> images;

  bool operator==(const Node&) const = default;
};

}  // namespace etiage
