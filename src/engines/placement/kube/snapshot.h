#pragma once
// The cluster as the scheduler sees it: nodes with what is taken of them, pods by shape, and what selects
// them.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "engines/placement/gang/pod_group.h"
#include "engines/placement/kube/shape.h"
#include "model/cluster.h"
#include "model/dra.h"
#include "model/scheduling.h"

namespace etiage::placement {

using NodeIndex = std::uint32_t;
using PodIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = UINT32_MAX;

/// What the scheduler is told beside the configuration.
struct SchedulingInput {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  std::vector<ObjectMeta> namespaces;
  std::vector<PriorityClass> priority_classes;
  std::vector<PodDisruptionBudget> disruption_budgets;
  std::vector<Service> services;
  std::vector<PodController> controllers;
  DraObjects dra;
  std::vector<PodGroup> pod_groups;
};

struct NodeInfo {
  NodeIndex index = kNoNode;
  std::vector<std::int64_t> allocatable,
      requested;                                   ///< by resource; may be shorter than the list of resources
  std::int64_t scored_cpu = 0, scored_memory = 0;  ///< requested, with defaults where nothing was said
  std::int64_t pod_limit = 0;
  std::vector<PodIndex> pods;
  /// A set, as the scheduler keeps it: where two pods hold one port, it is free once the first of them goes.
  std::vector<HostPort> ports;

  std::int64_t allocatable_of(ResourceIndex r) const { return r < allocatable.size() ? allocatable[r] : 0; }
  std::int64_t requested_of(ResourceIndex r) const { return r < requested.size() ? requested[r] : 0; }
};

struct PodRecord {
  ShapeIndex shape = 0;
  NodeIndex node = kNoNode;        ///< where it is bound
  std::optional<Instant> started;  ///< unknown counts as now, after all that is known
};

/// The domains of one topology key: a number for each value, and -1 where a node lacks the label.
struct Topology {
  std::vector<std::int32_t> domain_of;  ///< by node
  std::int32_t domains = 0;
};

class Snapshot {
 public:
  /// Fails on a pod whose priority class does not exist, as admission would.
  static Result<Snapshot> make(SchedulingInput input);

  const SchedulingInput& input() const { return input_; }
  const std::vector<NodeInfo>& nodes() const { return nodes_; }
  const std::vector<NodeIndex>& by_name() const { return by_name_; }  ///< nodes in the order of their names
  const std::string& node_name(NodeIndex n) const { return input_.nodes[n].meta.name; }
  std::optional<NodeIndex> node_named(std::string_view name) const;
  const Pod& pod(PodIndex p) const { return input_.pods[p]; }
  const PodRecord& record(PodIndex p) const { return pods_[p]; }
  const std::vector<PodShape>& shapes() const { return shapes_; }
  const PodShape& shape_of(PodIndex p) const { return shapes_[pods_[p].shape]; }
  ResourceNames& resources() { return resources_; }
  const ResourceNames& resources() const { return resources_; }
  const Topology& topology(const std::string& key);
  /// Labels of a namespace; none where it is not among the objects.
  const LabelMap& namespace_labels(const std::string& ns) const;
  /// Nodes that hold the image, and its size as the first of them tells it.
  std::pair<std::int64_t, std::int64_t> image_spread_and_size(const std::string& image) const;

  /// Binds a pending pod; it starts after every start known so far.
  void bind(PodIndex pod, NodeIndex node);
  /// The pod vanishes from its node.
  void evict(PodIndex pod);
  /// An evicted pod is where it was, as if it had never left.
  void put_back(PodIndex pod, const PodRecord& as_it_was);

  void add_to(NodeInfo& node, PodIndex pod) const;
  void remove_from(NodeInfo& node, PodIndex pod) const;

 private:
  Result<void> shape_pods();
  void load_nodes();

  SchedulingInput input_;
  ResourceNames resources_;
  std::vector<NodeInfo> nodes_;
  std::vector<NodeIndex> by_name_;
  std::vector<PodRecord> pods_;
  std::vector<PodShape> shapes_;
  std::unordered_map<std::string, Topology> topologies_;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>> images_;
  std::map<std::string, const LabelMap*, std::less<>> namespaces_;
  std::optional<Instant> last_start_;
};

}  // namespace etiage::placement
