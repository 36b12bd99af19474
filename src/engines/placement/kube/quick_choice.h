#pragma once
// The best node for pods of one shape without looking at every node for every pod. It decides as the full
// attempt does, for shapes whose fit and score on a node depend on that node alone.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engines/placement/kube/attempt.h"
#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/resource_scores.h"
#include "engines/placement/kube/snapshot.h"
#include "engines/placement/ranking.h"

namespace etiage::placement {

class QuickChoice {
 public:
  /// The snapshot stays where it is.
  QuickChoice(Snapshot& snapshot, const std::vector<const Profile*>& profiles);
  QuickChoice(const QuickChoice&) = delete;
  QuickChoice& operator=(const QuickChoice&) = delete;

  /// False: pods elsewhere, or the other feasible nodes, would matter for the pod. It must be tried in full.
  bool knows(const Profile& profile, PodIndex pod);
  /// Pods elsewhere, or the other feasible nodes, decide with it.
  bool depends_on_others(const Profile& profile, PodIndex pod);
  /// The first by name of the best nodes; only for pods that it knows.
  std::optional<NodeIndex> best(PodIndex pod);
  /// To be told when pods came to a node or left it.
  void changed(NodeIndex node);

 private:
  /// What a shape needs to be scored on a node.
  struct Recipe {
    std::optional<FilterState> filters;
    std::optional<ResourceScorer> fit, balanced;
    std::int64_t fit_weight = 0, balanced_weight = 0;
    std::vector<std::int64_t> constant;  ///< by node: the weighted score of the images
  };
  /// Beyond so many different scores the tables would be larger than what they save.
  static constexpr std::int64_t kMostLevels = 4000;

  std::optional<Recipe> make_recipe(const Profile& profile, PodIndex pod);
  int score(ShapeIndex shape, NodeIndex node) const;

  Snapshot* snapshot_;
  std::vector<std::uint32_t> pods_of_shape_;
  std::int64_t highest_;
  std::unordered_map<ShapeIndex, std::optional<Recipe>> recipes_;
  ScoreRanking ranking_;
  bool any_pod_affinity_ = false;
};

}  // namespace etiage::placement
