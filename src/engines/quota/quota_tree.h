#pragma once
// The tree of cohorts and ClusterQueues and its arithmetic (Kueue's resource_node.go and fair_sharing.go).
//
//        org            each node has, per (flavor, resource):  subtree = own nominal + what the children
//        lend
//       /   \                                                   local   = part of subtree that is never lent
//       upward
//    team    ops        usage beyond `local` counts against the parent, and so on to the root.
//    /  \      \.
//   a    b      c       Every tree numbers its (flavor, resource) pairs as columns; cells lie row by row.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engines/quota/ids.h"
#include "engines/quota/undo_log.h"

namespace etiage::quota {

struct QuotaSpec {
  FlavorId flavor;
  ResourceId resource;
  Amount nominal = 0;
  Amount borrowing_limit = kUnlimited;  ///< kUnlimited: none
  Amount lending_limit = kUnlimited;
};

struct NodeSpec {
  NodeId parent;  ///< not valid: a root
  double weight = 1;
  bool is_queue = false;
  bool active = true;  ///< inactive ClusterQueues lend and use, but nobody looks into them
  std::vector<QuotaSpec> quotas;
  /// Pairs that workloads of this node use although it has no quota for them.
  std::vector<std::pair<FlavorId, ResourceId>> also_used;
};

/// Dominant resource share of a node: the largest part, over resources, of what its parent could lend that it
/// borrows.
struct Share {
  double weight = 1;
  double ratio = 0;  ///< per mille, before the weight
  bool borrowing = false;
  bool borrowing_on_request = false;  ///< on a column that the workload in question asks for
};

/// -1, 0, 1: the lower share is served first, the higher is preempted first. Weight 0 that borrows is above
/// all.
int compare(const Share& a, const Share& b);

class QuotaTree {
 public:
  QuotaTree() = default;
  /// Parents before or after their children, in any order, without cycles.
  explicit QuotaTree(const std::vector<NodeSpec>& nodes);

  std::size_t size() const { return nodes_.size(); }
  NodeId parent(NodeId n) const { return nodes_[n.index()].parent; }
  NodeId root(NodeId n) const;
  /// Distance to the furthest leaf below.
  int height(NodeId n) const { return nodes_[n.index()].height; }
  std::span<const NodeId> child_cohorts(NodeId n) const { return nodes_[n.index()].cohorts; }
  std::span<const NodeId> child_queues(NodeId n) const { return nodes_[n.index()].queues; }

  /// kNoColumn where nothing in the tree knows the pair.
  Column column(NodeId n, FlavorId flavor, ResourceId resource) const;
  std::pair<FlavorId, ResourceId> pair_of(NodeId n, Column c) const {
    return columns_[nodes_[n.index()].tree][c];
  }
  std::size_t column_count(NodeId n) const { return nodes_[n.index()].column_count; }

  Amount nominal(NodeId n, Column c) const { return fixed_[cell(n, c)].nominal; }
  Amount borrowing_limit(NodeId n, Column c) const { return fixed_[cell(n, c)].borrowing_limit; }
  Amount subtree_quota(NodeId n, Column c) const { return fixed_[cell(n, c)].subtree; }
  Amount usage(NodeId n, Column c) const { return usage_[cell(n, c)]; }
  /// The most that the node could ever hold.
  Amount potential(NodeId n, Column c) const { return fixed_[cell(n, c)].potential; }
  /// What the node could take now; negative where too much was admitted.
  Amount available(NodeId n, Column c) const;
  /// Guaranteed quota that is unused and that the parent does not see.
  Amount local_available(NodeId n, Column c) const;
  bool borrowing_with(NodeId n, Column c, Amount more) const {
    return plus(usage(n, c), more) > (nodes_[n.index()].is_queue ? nominal(n, c) : subtree_quota(n, c));
  }
  bool within_nominal(NodeId n, std::span<const Column> columns) const;

  void add_usage(NodeId n, Column c, Amount amount);
  void remove_usage(NodeId n, Column c, Amount amount);

  /// Height of the lowest subtree around the queue in which `amount` more fits without borrowing (0: the
  /// queue itself; the whole tree where none does), and whether that subtree is smaller than the whole tree.
  std::pair<int, bool> lowest_fitting_height(NodeId queue, Column c, Amount amount) const;

  /// `request`, sorted by column, says which columns count for `borrowing_on_request`.
  Share share(NodeId n, std::span<const ColumnAmount> request = {}) const;

  UndoLog& log() { return log_; }

 private:
  struct Node {
    NodeId parent;
    std::uint32_t tree = 0;
    std::uint32_t first_cell = 0;
    std::uint32_t column_count = 0;
    std::uint32_t first_lendable = 0;
    int height = 0;
    double weight = 1;
    bool is_queue = false;
    std::vector<NodeId> cohorts, queues;
  };
  struct Cell {
    Amount nominal = 0, subtree = 0, local = 0, potential = 0;
    Amount borrowing_limit = kUnlimited, lending_limit = kUnlimited;
    bool in_subtree = false;  ///< the node or one below it has a quota for the column
  };

  std::size_t cell(NodeId n, Column c) const { return nodes_[n.index()].first_cell + c; }
  void number_trees(const std::vector<NodeSpec>& specs);
  void lay_out(const std::vector<NodeSpec>& specs);
  void accumulate(NodeId n);
  void spread_potential(NodeId n);
  int measure_height(NodeId n);

  std::vector<Node> nodes_;
  std::vector<std::vector<NodeId>> children_;  ///< inactive ones too
  std::vector<std::vector<std::pair<FlavorId, ResourceId>>>
      columns_;  ///< by tree, sorted by resource, then flavor
  std::vector<Cell> fixed_;
  std::vector<Amount> usage_;
  std::vector<Amount>
      lendable_;  ///< by cohort and column: of the column's resource, valid at its first column
  UndoLog log_;
};

}  // namespace etiage::quota
