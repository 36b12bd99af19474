#pragma once
// One scheduling cycle (Kueue's scheduler.go): heads are nominated on a snapshot, taken in order, and
// admitted, made to wait for preemption, or put back with the reason.

#include <map>
#include <utility>
#include <vector>

#include "engines/quota/entry.h"
#include "engines/quota/nomination.h"

namespace etiage::quota {

struct IssuedPreemption {
  WorkloadId workload, by;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;

  bool operator==(const IssuedPreemption&) const = default;
};

/// What a cycle decided.
struct CycleOutcome {
  std::vector<WorkloadId> heads;     ///< in the order of the ClusterQueues' names
  std::vector<WorkloadId> order;     ///< nominated ones, in the order in which they were taken
  std::vector<WorkloadId> admitted;  ///< they hold quota now
  std::vector<WorkloadId> pending;
  std::vector<WorkloadId> rewritten;        ///< pending ones whose condition changed
  std::vector<IssuedPreemption> preempted;  ///< evicted, but their quota is not free yet
};

class Scheduler {
 public:
  Scheduler(State& state, PendingQueues& queues) : state_(state), queues_(queues) {}

  /// Usage moves only by what was admitted; a victim keeps its quota until its eviction is over.
  void run_cycle(Instant now, CycleOutcome& out);

 private:
  bool may_be_nominated(Entry& entry) const;
  void process(Entry& entry);
  /// Whether quota and places suffice without the victims; the second says it is places alone that do not.
  std::pair<bool, bool> fits(const Entry& entry, const std::vector<AssignedTopology>& places);
  void claim(const Entry& entry);
  /// Takes out of the simulation what this cycle's victims hold, as far as the entry shares it with them.
  void remove_claimed(const Entry& entry, bool with_places);
  void add_usage(const Entry& entry, const std::vector<AssignedTopology>& places);
  void hold_back_capacity(Entry& entry);
  void skip(Entry& entry, const char* why) const;
  bool waits_for_others() const;
  void evict(const Target& target, WorkloadId by);
  void admit(Entry& entry);
  void put_back(Entry& entry);
  void write_status(Entry& entry);
  bool overlaps(const Entry& entry) const;
  NodeId root_of(const Entry& entry) const;

  State& state_;
  PendingQueues& queues_;
  CycleOutcome* out_ = nullptr;
  Instant now_;
  std::vector<Entry> entries_;  ///< reused from cycle to cycle
  std::vector<std::uint32_t> nominated_;
  /// Victims of this cycle in one tree, and what they hold there, by ClusterQueue and column.
  struct Claimed {
    std::vector<WorkloadId> victims;
    std::map<std::pair<NodeId, Column>, Amount> held;
  };
  std::map<NodeId, Claimed> claimed_;  ///< by the root of the tree
  bool admitted_one_ = false;
};

}  // namespace etiage::quota
