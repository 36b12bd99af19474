#pragma once
// How much GPU a set of pods can be given at most, whoever decides: the linear relaxation over patterns.
//
//     x(k, g)  pods of kind k on nodes of group g           worth their milli-GPU
//     y(g, p)  devices of group g that are cut by pattern p
//
//     least(k) <= sum over g of x(k, g) <= most(k)
//     sum of the pods' CPU and memory <= what the nodes of the group have
//     whole devices held + sum over p of y(g, p) <= devices of the group
//     shares of a size on g <= what the patterns in use cut
//
// Patterns are made as prices call for them (Gilmore and Gomory 1961). The value printed is that of the
// prices, not of the amounts: weak duality makes it a bound whatever the solver's tolerance, and wherever the
// making of patterns was stopped.

#include <vector>

#include "engines/placement/share/cluster.h"
#include "engines/placement/share/device_patterns.h"

namespace etiage::placement {

/// Pods of one kind: so many must be placed, so many may be.
struct BoundedDemand {
  PodClass pod;
  double least = 0, most = 0;
};

/// Nodes that are alike, taken together.
struct NodeGroup {
  double devices = 0, cpu = 0, memory = 0;
  std::int32_t gpus = 0;  ///< of one node
  std::uint8_t model = 0;
};

/// Keeps the patterns that it has found, so that questions after the first cost little.
class PatternBound {
 public:
  /// `sizes`: of all sharing pods that will be asked about.
  PatternBound(std::vector<NodeGroup> groups, std::vector<std::int32_t> sizes);

  /// In milli-GPU. Far below any real value where not all that must be placed can be.
  double most(const std::vector<BoundedDemand>& demand);

  /// Lets every group begin with patterns that served another programme of the same sizes.
  void begin_with(const std::vector<Pattern>& patterns);
  const std::vector<Pattern>& patterns(std::size_t group) const { return patterns_[group]; }

 private:
  struct Prices;
  struct Rows;
  Prices solve(const std::vector<BoundedDemand>& demand) const;
  double value_of(const std::vector<BoundedDemand>& demand, const Prices& prices) const;
  bool add_patterns(const Prices& prices);
  std::size_t size_index(const PodClass& pod) const;
  bool accepts(const PodClass& pod, std::size_t group) const;

  std::vector<NodeGroup> groups_;
  std::vector<std::int32_t> sizes_;             ///< ascending
  std::vector<std::vector<Pattern>> patterns_;  ///< by group
};

}  // namespace etiage::placement
