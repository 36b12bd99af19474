#pragma once
// The topology of one flavor: nodes gathered into domains, level by level, and what is free in them
// (the data half of Kueue's tas_flavor_snapshot.go).
//
//    level 0 (block)      b1              b2          domains of a level are numbered in the order of their
//    values, level 1 (rack)    r1    r2           r1          so the children of a domain are a range of the
//    next level level 2 (host)  n1 n2  n3 n4       n5 n6         and the last level holds the leaves

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/quota/ids.h"
#include "engines/quota/undo_log.h"
#include "model/node.h"
#include "model/queue.h"
#include "model/queue_workload.h"

namespace etiage::quota {

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";

/// A number of pods in one leaf; -1: a domain that is no longer there.
struct LeafPods {
  std::int32_t leaf = -1;
  std::int32_t pods = 0;

  bool operator==(const LeafPods&) const = default;
};

struct Domain {
  std::vector<std::string> values;                ///< from level 0 to its own
  std::int32_t first_child = 0, child_count = 0;  ///< in the next level
};

/// What one pod set holds in a topology: `per_pod` of each resource for each pod, `times` over.
struct TopologyUsage {
  std::span<const LeafPods> domains;
  std::span<const ResourceAmount> per_pod;
  std::int64_t times = 1;
};

class TasTopology {
 public:
  /// `nodes` that are ready, schedulable, carry the flavor's labels and every level; `resources` numbers all
  /// names.
  TasTopology(const Topology& topology, const ResourceFlavor& flavor, std::span<const Node* const> nodes,
              const Names<ResourceId>& resources, ResourceId pods);

  const std::string& name() const { return name_; }
  const ResourceFlavor& flavor() const { return *flavor_; }
  std::span<const std::string> levels() const { return levels_; }
  /// Index of the level, or -1.
  int level(std::string_view key) const;
  bool hosts_are_leaves() const { return hosts_are_leaves_; }
  const std::vector<Domain>& domains(int level) const { return domains_[static_cast<std::size_t>(level)]; }
  std::size_t leaf_count() const { return leaves_.size(); }
  /// Null where the lowest level is wider than a host.
  const Node* node(std::int32_t leaf) const { return leaves_[static_cast<std::size_t>(leaf)]; }
  /// Values from the level that assignments name (the host alone where hosts are leaves).
  std::span<const std::string> assigned_values(std::int32_t leaf) const;
  std::span<const std::string> assigned_levels() const;
  /// -1 where there is no such domain.
  std::int32_t find_leaf(std::span<const std::string> values) const;

  /// Free now; without the usage of workloads where `empty`.
  Amount free(std::int32_t leaf, ResourceId resource, bool empty) const {
    const std::size_t i = cell(leaf, resource);
    return empty ? capacity_[i] : minus(capacity_[i], usage_[i]);
  }
  /// Whether nodes of the leaf name the resource at all.
  bool provides(std::int32_t leaf, ResourceId resource) const { return provided_[cell(leaf, resource)]; }

  /// Pods that are not Kueue's take their requests (and a pod's place) from the node for good.
  void take(std::string_view node_name, std::span<const ResourceAmount> requests);
  void add_usage(const TopologyUsage& usage, int sign, UndoLog& log);

 private:
  std::size_t cell(std::int32_t leaf, ResourceId r) const {
    return static_cast<std::size_t>(leaf) * resource_count_ + r.index();
  }
  void gather_leaves(std::span<const Node* const> nodes);
  void build_levels();

  std::string name_;
  const ResourceFlavor* flavor_;
  std::vector<std::string> levels_;
  bool hosts_are_leaves_;
  ResourceId pods_;
  std::size_t resource_count_;
  std::vector<std::vector<Domain>> domains_;  ///< by level
  std::vector<const Node*> leaves_;
  std::map<std::string, std::int32_t, std::less<>> leaf_by_id_;  ///< host, or values joined by commas
  std::map<std::string, std::int32_t, std::less<>> leaf_by_node_;
  std::vector<Amount> capacity_, usage_;
  std::vector<bool> provided_;
};

/// What a request leaves open is filled in: the level it is about, null where it names none.
const std::string* requested_level(const TopologyRequest& request, const TasTopology& topology);
/// Whether all levels that the request names exist.
bool has_levels(const TopologyRequest& request, const TasTopology& topology, bool multi_layer);
/// Whether a request says anything that makes its pods topology-aware.
bool requests_topology(const std::optional<TopologyRequest>& request);
/// Slices asked for, outermost first; one pod a slice where empty.
std::vector<SliceConstraint> slices_of(const TopologyRequest& request);

}  // namespace etiage::quota
