#pragma once
// Flavors for a workload (Kueue's flavorassigner.go): try the flavors of each resource group in order, stop
// where the ClusterQueue's fungibility says so, and keep the best.

#include <map>

#include "engines/quota/assignment.h"
#include "engines/quota/preemption.h"

namespace etiage::quota {

/// Flavors that a recomputation within a cycle must stay with, by pod set and resource; empty: free.
using Nomination = std::vector<std::vector<std::pair<ResourceId, FlavorId>>>;

class Assigner {
 public:
  Assigner(State& state, WorkloadId workload, std::int64_t now);

  /// `counts`: pods of each pod set, where fewer than all are tried; `nomination`: see above.
  void assign(Assignment& out, std::span<const std::int32_t> counts = {},
              const Nomination* nomination = nullptr);

  /// Places that the assignment asks for; pod sets that cannot be asked about get an error.
  TopologyRequests topology_requests(Assignment& assignment);
  /// Writes found domains into the assignment.
  static void set_topologies(Assignment& assignment, const TopologyOutcome& outcome);
  /// Victims that make room for the assignment.
  std::vector<Target> targets(Assignment& assignment);

 private:
  enum class Possibility : std::uint8_t { kNoFit, kNoCandidates, kPreempt, kReclaim, kFit };
  /// How well a flavor would do.
  struct Grade {
    Possibility possibility = Possibility::kFit;
    std::int32_t borrow = 0;
  };

  bool assign_group(Assignment& out, std::size_t group, std::span<const std::int32_t> counts,
                    const Nomination* nomination);
  bool find_flavor(const Assignment& so_far, std::size_t group, std::int32_t resource_group,
                   ResourceId resource, const Nomination* nomination);
  Grade try_flavor(const Assignment& so_far, const QueueGroup& rg, std::size_t flavor);
  Grade grade(const Assignment& so_far, Column column, FlavorId flavor, const ResourceAmount& request);
  Grade simulate(Column column, Amount amount);
  bool preferred(const Grade& a, const Grade& b) const;
  bool look_further(const Grade& g) const;
  const std::string* flavor_fault(std::size_t group, std::int32_t resource_group, std::size_t flavor);
  std::string check_flavor(const std::vector<std::uint32_t>& pod_sets, const QueueGroup& rg,
                           FlavorId flavor) const;
  std::string check_topology(const PodSetShape& pod_set, const QueueGroup& rg, FlavorId flavor) const;
  bool wants_topology(const PodSetShape& p) const { return p.explicit_topology || queue_.only_topology; }
  bool nominated(const std::vector<std::uint32_t>& pod_sets, const Nomination& nomination,
                 ResourceId resource, FlavorId flavor) const;
  std::size_t first_flavor(std::uint32_t pod_set, ResourceId resource) const;
  std::int32_t only_topology_of(const PodSetAssignment& assignment, std::string& error) const;
  void place(Assignment& out);

  State& state_;
  WorkloadId id_;
  WorkloadState& workload_;
  QueueState& queue_;
  const Shape& shape_;
  std::int64_t now_;
  // Scratch of one group of pod sets.
  std::vector<ResourceAmount> requests_, covered_;
  std::vector<Pick> group_picks_, best_picks_, picks_;
  std::vector<Reason> group_reasons_, found_reasons_;
  /// The last search for victims: where one resource is all that is contested, it is asked for twice.
  ColumnAmount searched_;
  std::vector<Target> found_victims_;
};

}  // namespace etiage::quota
