#pragma once
// What one head would get if it were alone: flavors, victims, fewer pods, places.

#include "engines/quota/assigner.h"
#include "engines/quota/entry.h"

namespace etiage::quota {

/// Fills the entry's assignment, targets and status. `nomination`: flavors to stay with (see
/// Assigner::assign).
void nominate(State& state, Entry& entry, std::int64_t now, const Nomination* nomination = nullptr);

/// Pods of each pod set when `cut` of all that may be left out are: each gives in proportion, rounded in its
/// favour (Kueue's PodSetReducer). Pods that are done already are counted with the others.
void reduced_counts(const Workload& workload, std::int64_t cut, std::vector<std::int32_t>& counts);
/// How many pods may be left out in all.
std::int64_t most_cut(const Workload& workload);

/// The flavors of an assignment, to stay with in a recomputation.
Nomination nomination_of(const Assignment& assignment);

/// Places that the assignment takes while a cycle runs.
std::vector<AssignedTopology> places_in_cycle(const State& state, const Entry& entry);
/// What the workload holds once admitted.
Grant grant_of(const State& state, const Entry& entry);

}  // namespace etiage::quota
