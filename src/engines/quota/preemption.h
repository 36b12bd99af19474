#pragma once
// Whom to preempt (Kueue's preemption.go): candidates in order, as few as needed, filled back in reverse.

#include <span>
#include <vector>

#include "engines/quota/assignment.h"
#include "engines/quota/tas_placement.h"

namespace etiage::quota {

/// Requests for a place, by topology.
struct TopologyRequests {
  struct OfTopology {
    std::int32_t topology = kNoTopology;
    std::vector<PlacementRequest> requests;
  };
  std::vector<OfTopology> topologies;  ///< in the order of the flavors' names
};

/// Domains for all requests, or the first failure.
struct TopologyOutcome {
  std::vector<PlacementResult> placed;
  const PlacementResult* failure() const;
};

TopologyOutcome find_topologies(const State& state, const TopologyRequests& requests, bool empty);

struct PreemptionQuestion {
  WorkloadId preemptor;
  QueueId queue;
  std::span<const Column> contested;       ///< columns that need room, sorted
  std::span<const ColumnAmount> requests;  ///< what the preemptor asks for, sorted by column
  const TopologyRequests* topologies = nullptr;
  std::int64_t now = 0;  ///< nanoseconds
};

/// Victims in the order in which Kueue names them; empty: none suffice. The state is as it was afterwards.
std::vector<Target> find_targets(State& state, const PreemptionQuestion& question);

/// Whether the policy lets the preemptor take the candidate.
bool satisfies(const State& state, PreemptionPolicy policy, WorkloadId preemptor, WorkloadId candidate);

/// The order of candidates: already evicted, then (by `of_group`) others before the own queue, heavier
/// LocalQueue, lower priority, later reservation, uid.
struct CandidateKey {
  bool not_evicted = true;
  std::uint8_t rank = 0;  ///< 0 hierarchical, 1 by priority, 2 own queue; fair sharing: 0 others, 1 own
  std::int64_t priority = 0;
  std::int64_t minus_reserved = 0;
  std::uint32_t uid_rank = 0;
  WorkloadId workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
  bool only_without_borrowing = false;
  NodeId common_ancestor;  ///< of both queues
};

CandidateKey make_key(const State& state, WorkloadId workload, std::uint8_t rank);
/// `by_usage`: admission fair sharing compares LocalQueues of one ClusterQueue first.
bool before(const State& state, const CandidateKey& a, const CandidateKey& b, bool by_usage);

namespace detail {
std::vector<Target> classical_targets(State& state, const PreemptionQuestion& question);
std::vector<Target> fair_targets(State& state, const PreemptionQuestion& question);
bool fits_now(State& state, const PreemptionQuestion& question, bool may_borrow);
/// Gives back, last removed first, every victim without whom the preemptor fits as well.
void fill_back(State& state, const PreemptionQuestion& question, std::vector<Target>& targets,
               bool may_borrow);
}  // namespace detail

}  // namespace etiage::quota
