#pragma once
// What a topology search writes on the domains while it runs.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engines/quota/tas_placement.h"

namespace etiage::quota {

/// First: how many pods (slices) fit below the domain, with and without a leader beside them. Later: how many
/// were given to it.
struct DomainState {
  std::int32_t pods = 0, slices = 0;
  std::int32_t pods_with_leader = 0, slices_with_leader = 0;
  std::int32_t leaders = 0;
  std::int64_t affinity = 0;  ///< sum of the weights of preferred node affinity
};

/// A domain by level and index.
struct DomainRef {
  int level = 0;
  std::int32_t index = 0;

  bool operator==(const DomainRef&) const = default;
};

using DomainList = std::vector<DomainRef>;

/// The states of all domains, level by level.
class DomainStates {
 public:
  explicit DomainStates(const TasTopology& topology)
      : topology_(&topology), states_(topology.levels().size()) {
    for (std::size_t l = 0; l < states_.size(); ++l)
      states_[l].resize(topology.domains(static_cast<int>(l)).size());
  }
  DomainState& operator[](DomainRef d) {
    return states_[static_cast<std::size_t>(d.level)][static_cast<std::size_t>(d.index)];
  }
  const DomainState& operator[](DomainRef d) const {
    return states_[static_cast<std::size_t>(d.level)][static_cast<std::size_t>(d.index)];
  }
  const TasTopology& topology() const { return *topology_; }
  int last_level() const { return static_cast<int>(states_.size()) - 1; }
  DomainList all(int level) const;
  DomainList children(DomainRef d) const;
  DomainList children(const DomainList& domains) const;
  void clear(DomainRef d);
  void clear_leaders(DomainRef d);

 private:
  const TasTopology* topology_;
  std::vector<std::vector<DomainState>> states_;
};

/// The request in numbers.
struct PlacementPlan {
  int level = 0, slice_level = 0;
  bool required = false, unconstrained = false;
  std::int32_t count = 0, leaders = 0, slice_size = 1;
  std::map<int, std::int32_t> inner_slice_sizes;  ///< by level, of further slice layers
  std::vector<SliceConstraint> layers;            ///< given only where there is more than one
  bool least_free = false;                        ///< fill the fullest first instead of the best fit
  bool by_affinity = false;                       ///< TASRespectNodeAffinityPreferred
  bool leaders_counted = false;  ///< since 0.19: only domains that can take the leader count as such
};

/// Adds up the counts of everything below `d`; `layered`: with the sizes of the inner slice layers.
void roll_up(DomainStates& states, DomainRef d, const PlacementPlan& plan, bool layered);

void sort_by_slices(const DomainStates& states, const PlacementPlan& plan, DomainList& domains);
void sort_by_leaders(const DomainStates& states, const PlacementPlan& plan, DomainList& domains);

/// TASBalancedPlacement: spreads evenly over as few domains as possible. Returns whether it applies;
/// `failure` is set where it applied and found nothing.
bool place_balanced(DomainStates& states, const PlacementPlan& plan, const Release& release,
                    DomainList& domains, int& level, std::string& failure);

}  // namespace etiage::quota
