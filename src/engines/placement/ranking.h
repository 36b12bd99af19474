#pragma once
// Which node has the highest score for a class of pods, kept up to date at the price of the nodes that
// changed.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace etiage::placement {

/// For each class of pods and each score the set of nodes that have it, a bit per node in the order of ties.
/// Scores are brought up to date when a class is asked for, so that a class that never comes costs nothing.
class ScoreRanking {
 public:
  /// The score of a class on a node, 0 to `highest`; negative where it does not fit.
  using Score = std::function<int(std::uint32_t pod_class, std::uint32_t node)>;

  /// `order` holds the nodes, the winner of ties first.
  ScoreRanking(std::vector<std::uint32_t> order, std::size_t classes, int highest, Score score);

  /// The first of the best nodes.
  std::optional<std::uint32_t> best(std::uint32_t pod_class);
  /// To be told after every change of a node.
  void changed(std::uint32_t node);
  /// The score that the best node has; only after `best` of the same class.
  int best_score(std::uint32_t pod_class) const;

 private:
  struct Table {
    std::vector<std::int16_t> score_of;   ///< by position
    std::vector<std::uint64_t> members;   ///< bits, a row of words for each score
    std::vector<std::uint32_t> count_of;  ///< nodes of each score
    std::size_t seen = 0;                 ///< changes taken in so far
  };
  void fill(std::uint32_t pod_class, Table& table) const;
  void catch_up(std::uint32_t pod_class, Table& table) const;
  void set(Table& table, std::uint32_t position, int score) const;

  std::vector<std::uint32_t> order_, position_;
  std::size_t words_, levels_;
  Score score_;
  std::vector<Table> tables_;
  std::vector<std::uint32_t> changes_;    ///< positions, in the order of the changes
  std::vector<std::size_t> last_change_;  ///< by position: index in `changes_` plus one
};

}  // namespace etiage::placement
