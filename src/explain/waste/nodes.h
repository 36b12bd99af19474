#pragma once
// What findings about nodes need: who is on a node in an hour, and whether its free cards are really free.

#include <vector>

#include "explain/waste/bill.h"

namespace etiage::explain {

/// Who is on a node at some moment of a span, apart from what every node carries.
struct Occupancy {
  double held = 0;             ///< cards, at most: the sum of all shares held in the span
  std::vector<PodId> holders;  ///< pods with devices
  std::vector<PodId> others;   ///< pods without
  double cores = 0;            ///< requested by all of them
  double memory = 0;           ///< likewise, bytes
};

Occupancy occupancy(const Bill& bill, NodeId node, Window span);

/// Whether free cards of the node can be taken for free: pods of its cluster are known by their requests or
/// by device rows, and no device worked while nobody held it.
bool knows_what_is_free(const Bill& bill, NodeId node);
/// Whether rows of the node's devices were seen while nobody held them.
bool saw_free_devices(const Bill& bill, NodeId node);

/// Card-seconds of a free share in a span.
struct FreeTime {
  double unallocated = 0, stranded = 0;
};
FreeTime free_time(const std::vector<ledger::FreeShare>& shares, Window span);

/// `3 of 8 cards free for 41.5 h`, its value in card-hours.
Proof free_proof(const Bill& bill, NodeId node, double card_seconds, double seconds);

/// `1g.10gb=7,3g.40gb=2`: the instances that pods of a MIG node hold at the end of the window, as
/// `etiage mig pack --demand` takes them; empty: none.
std::string demand_of(const Bill& bill, NodeId node);

}  // namespace etiage::explain
