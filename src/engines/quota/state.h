#pragma once
// A cluster as Kueue's caches hold it: what is fixed (flavors, ClusterQueues, topologies) and what moves
// (workloads, usage).

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/quota/gates.h"
#include "engines/quota/quota_tree.h"
#include "engines/quota/reason.h"
#include "engines/quota/shape.h"
#include "engines/quota/tas_topology.h"
#include "model/queue_config.h"

namespace etiage::quota {

inline constexpr std::int32_t kNoTopology = -1;
inline constexpr std::uint32_t kNoClass = UINT32_MAX;

struct FlavorState {
  const ResourceFlavor* spec = nullptr;  ///< null: named, but there is no such flavor
  std::int32_t topology = kNoTopology;   ///< index of its topology, once that is known
  bool plain = false;  ///< no taints, labels or topology: takes any pod set that wants no topology
};

struct QueueGroup {
  std::vector<ResourceId> covered;  ///< sorted
  std::vector<FlavorId> flavors;    ///< in the order in which they are tried
  std::vector<Column> columns;      ///< flavor by flavor, one a covered resource
  LabelMap label_keys;              ///< keys of all its flavors' node labels

  Column column(std::size_t flavor, std::size_t resource) const {
    return columns[flavor * covered.size() + resource];
  }
};

struct QueueCheck {
  std::string name;
  std::vector<FlavorId> flavors;  ///< sorted
  bool provisioning = false, multi_kueue = false;
};

/// Whether the flavors of a group take a shape's pod sets, and why not.
struct FlavorFit {
  std::vector<std::string> faults;  ///< by flavor; empty: it does
};

struct QueueState {
  const ClusterQueue* spec = nullptr;
  NodeId node;
  std::vector<QueueGroup> groups;
  std::vector<QueueCheck> checks;
  bool active = true;
  bool in_cycle = false;              ///< its cohorts form a cycle
  bool plain = false;                 ///< every flavor is plain, and not everything is topology-aware
  bool only_topology = false;         ///< every flavor is topology-aware: so is every workload
  bool usage_based = false;           ///< admission fair sharing orders its workloads
  std::int32_t pods_group = -1;       ///< the group that covers `pods`, or -1
  std::vector<WorkloadId> reserving;  ///< workloads that hold quota, in no order
  std::int64_t generation = 0;        ///< grows whenever quota may have become free
  std::unordered_map<std::uint64_t, FlavorFit> fits;  ///< by shape, group of pod sets and resource group

  /// Index of the group that covers the resource, or -1; `slot`: its place among the covered.
  std::int32_t group_of(ResourceId resource, std::size_t* slot = nullptr) const;
};

struct LocalQueueState {
  const LocalQueue* spec = nullptr;
  QueueId queue;  ///< not valid where there is no such ClusterQueue
  double weight = 1;
  /// Admission fair sharing, in thousandths of a unit, by resource; sorted.
  std::vector<ResourceAmount> consumed, penalty;
  std::vector<ResourceAmount> admitted;  ///< usage of its admitted workloads, in units of Amount
  std::optional<Instant> last_update;
  bool penalty_pending = false;
};

/// One resource of one pod set as it was assigned.
struct Assigned {
  ResourceId resource;
  FlavorId flavor;
  Column column = kNoColumn;
  Amount amount = 0;
};

struct AssignedTopology {
  std::uint32_t pod_set = 0;
  std::int32_t topology = kNoTopology;
  std::vector<LeafPods> domains;
  std::vector<ResourceAmount> per_pod;
  std::int64_t times = 1;
  const TopologyAssignment* as_given = nullptr;  ///< the words of the input, where it came from there
};

/// What a workload was given.
struct Grant {
  std::vector<std::string> pod_sets;  ///< names, where they came with the input; empty: those of the shape
  std::vector<Assigned> resources;    ///< pod set after pod set
  std::vector<std::uint32_t> ends;    ///< by pod set: where its resources end
  std::vector<std::int32_t> counts;   ///< by pod set; empty: as asked
  std::vector<AssignedTopology> topologies;  ///< at most one a pod set and topology
  bool topology_delayed = false;             ///< decided only after a check (ProvisioningRequest, MultiKueue)
};

/// Where the search for flavors stopped, so that the next attempt goes on from there.
struct LastTried {
  std::int64_t generation = 0;
  std::vector<std::vector<std::pair<ResourceId, std::int32_t>>> flavors;  ///< by pod set; -1: all were tried
};

struct WorkloadState {
  enum class Place : std::uint8_t { kNone, kHeap, kParked, kInFlight };
  enum class Requeued : std::uint8_t { kAbsent, kTrue, kFalse };

  const Workload* spec = nullptr;
  std::int64_t priority = 0;
  std::int64_t order_time = 0;   ///< nanoseconds; what queue order goes by
  std::int64_t reserved_at = 0;  ///< nanoseconds
  std::uint32_t uid_rank = 0;    ///< place of its uid among all, in byte order
  QueueId queue;                 ///< of its LocalQueue; while it holds quota, the one that gave it
  LocalQueueId local_queue;
  ShapeId shape;
  std::uint32_t slot = 0;                  ///< in the heap, among the parked or among the reserving
  std::uint32_t waiting_class = kNoClass;  ///< of its ClusterQueue; the same always
  Place place = Place::kNone;              ///< PendingQueues::place knows parked classes too
  Requeued requeued = Requeued::kAbsent;
  bool active = true, finished = false;
  bool reserved = false, admitted = false;
  bool evicted = false, preempted = false;
  bool gated = false;
  bool requests_known = false;
  double local_queue_usage = 0;
  bool has_local_queue_usage = false;
  std::unique_ptr<Grant> grant;
  std::unique_ptr<LastTried> last_tried;
  std::unique_ptr<StatusText> status;  ///< null: no condition yet
  std::string status_reason, evicted_message, evicted_reason, preempted_reason, requeued_reason;
  std::optional<Instant> evicted_at, preempted_at, requeue_at;
  std::int32_t requeue_count = 0;
  std::vector<AdmissionCheckState> checks;
};

class State {
 public:
  /// The objects must outlive the state.
  static Result<State> make(const QueueObjects& objects, const QueueConfiguration& configuration,
                            const Release& release);

  const QueueObjects* objects = nullptr;
  QueueConfiguration configuration;
  Release release;
  Names<ResourceId> resources;
  Names<FlavorId> flavor_names;
  ResourceId pods;  ///< the resource `pods`
  std::vector<FlavorState> flavors;
  QuotaTree tree;
  std::vector<std::string> node_names;
  std::vector<QueueId> queue_of_node;  ///< not valid for cohorts
  std::vector<QueueState> queues;      ///< sorted by name
  std::vector<LocalQueueState> local_queues;
  std::vector<Shape> shapes;
  std::vector<WorkloadState> workloads;
  std::vector<TasTopology> topologies;  ///< one a topology-aware flavor
  std::vector<FlavorId> topology_flavors;

  const Shape& shape_of(WorkloadId w) const { return shapes[workloads[w.index()].shape.index()]; }
  const LabelMap* namespace_labels(const std::string& name) const;
  bool fair_sharing() const { return configuration.fair_sharing; }
  bool admission_fair_sharing() const {
    return configuration.admission_fair_sharing && release.gates.admission_fair_sharing;
  }
  /// `/cohort/.../queue`
  std::string path_of(QueueId q) const;

  /// Takes what the workload holds out of (or back into) a simulation.
  void remove_usage(WorkloadId w) { change_usage(w, -1); }
  void add_usage(WorkloadId w) { change_usage(w, 1); }
  /// The same for good: every topology that shares hosts sees it, and the LocalQueue.
  void reserve(WorkloadId w, Grant grant);
  void release_quota(WorkloadId w);
  /// It held quota and waited for its checks; now it may start.
  void mark_admitted(WorkloadId w);
  /// Columns that it holds are used by somebody who needs one of `columns`.
  bool uses_any(WorkloadId w, std::span<const Column> columns) const;

 private:
  void change_usage(WorkloadId w, int sign);
  void change_local_queue(const WorkloadState& w, int sign);
  std::unordered_map<std::string, LabelMap> namespaces_;
  friend class StateBuilder;
};

TopologyUsage usage_of(const AssignedTopology& t);

}  // namespace etiage::quota
