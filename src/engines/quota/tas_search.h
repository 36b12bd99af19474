#pragma once
// One search for places of one group of pod sets: what to look for, what fits where, and the choice.

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engines/quota/tas_domains.h"

namespace etiage::quota {

inline constexpr std::int32_t kManyPods = std::numeric_limits<std::int32_t>::max();

/// Why leaves were left out, for the text of a failure.
struct Exclusions {
  std::size_t nodes = 0, node_selector = 0, affinity = 0;
  std::map<std::string, std::size_t> taints, resources;

  std::string text() const;
};

/// One search for one group of pod sets.
class TopologySearch {
 public:
  TopologySearch(const PlacementContext& context, const PlacementRequest& workers,
                 const PlacementRequest* leader)
      : context_(context),
        topology_(*context.topology),
        workers_(workers),
        leader_(leader),
        states_(topology_) {}

  std::vector<PlacementResult> run(const AssumedUsage& assumed);

 private:
  std::string make_plan();
  std::string add_inner_layers(const std::vector<SliceConstraint>& slices);
  std::int32_t count_in(std::int32_t leaf, std::span<const ResourceAmount> per_pod,
                        const std::map<ResourceId, Amount>& taken, ResourceId* limiting) const;
  bool excluded(std::int32_t leaf);
  void count_leaves(const AssumedUsage& assumed);
  std::string choose(DomainList& domains);
  std::string find_level(int level, DomainList& domains, int& found);
  std::string spread_over(int level, DomainList sorted, DomainList& domains) const;
  std::string not_fit(int level, std::int32_t fitting, std::int32_t wanted) const;
  std::int32_t slices_below(DomainRef d, int level, std::int32_t size) const;
  DomainRef best_fit(const DomainList& domains, std::size_t from, std::int32_t needed, bool leaders,
                     bool slices) const;
  DomainList hand_out(const DomainList& domains, std::int32_t count, std::int32_t leaders,
                      std::int32_t slice_size, bool slices);
  bool give_with_leader(const DomainList& domains, std::size_t from, DomainRef& d, std::int32_t& rest,
                        std::int32_t& leaders, std::int32_t slice_size, bool slices);

  const PlacementContext& context_;
  const TasTopology& topology_;
  const PlacementRequest& workers_;
  const PlacementRequest* leader_;
  PlacementPlan plan_;
  DomainStates states_;
  Exclusions exclusions_;
};

}  // namespace etiage::quota
