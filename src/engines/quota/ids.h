#pragma once
// What the engine calls things while it decides: indices into flat tables instead of names.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "engines/quota/amount.h"

namespace etiage::quota {

/// A ClusterQueue or a Cohort in the tree.
using NodeId = Id<struct NodeTag>;
using QueueId = Id<struct QueueTag>;  ///< a ClusterQueue
using LocalQueueId = Id<struct LocalQueueTag>;
using WorkloadId = Id<struct WorkloadTag>;
using FlavorId = Id<struct FlavorTag>;
using ResourceId = Id<struct ResourceTag>;  ///< numbered in the order of the names
using ShapeId = Id<struct ShapeTag>;
/// A (flavor, resource) of one tree of cohorts.
using Column = std::uint32_t;
inline constexpr Column kNoColumn = UINT32_MAX;

struct ColumnAmount {
  Column column = kNoColumn;
  Amount amount = 0;

  bool operator==(const ColumnAmount&) const = default;
};

struct ResourceAmount {
  ResourceId resource;
  Amount amount = 0;

  bool operator==(const ResourceAmount&) const = default;
};

/// Names to ids and back, in the order of their first appearance.
template <class IdType>
class Names {
 public:
  IdType add(std::string_view name) {
    const auto [it, fresh] =
        ids_.try_emplace(std::string(name), IdType{static_cast<std::uint32_t>(names_.size())});
    if (fresh) names_.emplace_back(name);
    return it->second;
  }
  /// Not valid where the name is unknown.
  IdType find(std::string_view name) const {
    const auto it = ids_.find(std::string(name));
    return it == ids_.end() ? IdType{} : it->second;
  }
  const std::string& operator[](IdType id) const { return names_[id.index()]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, IdType> ids_;
};

}  // namespace etiage::quota
