#pragma once
// Who goes first in a cycle: by borrowing, priority and time; with fair sharing a tournament in every tree of
// cohorts.

#include <span>
#include <vector>

#include "engines/quota/entry.h"

namespace etiage::quota {

class EntryOrder {
 public:
  /// Of equal entries the one whose ClusterQueue comes first by name goes first.
  EntryOrder(State& state, std::span<Entry> entries, std::span<const std::uint32_t> nominated);

  /// Null when all have had their turn. Fair sharing looks at the usage of the moment.
  Entry* next();

 private:
  void sort_classically();
  Entry* next_fair();
  void measure(Entry& entry, NodeId queue);
  Entry* tournament(NodeId cohort);
  bool less(const Entry& a, const Entry& b, NodeId cohort) const;
  const Share& share_at(const Entry& e, NodeId cohort) const;

  State& state_;
  std::span<Entry> entries_;
  std::vector<std::uint32_t> order_;
  std::size_t next_ = 0;
  // Fair sharing: by queue, the entry that still waits; by entry, its share below each cohort on the way to
  // the root.
  std::vector<Entry*> waiting_;
  std::vector<std::vector<std::pair<NodeId, Share>>> shares_;
};

}  // namespace etiage::quota
