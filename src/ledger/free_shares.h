#pragma once
// What nobody holds of a node's cards, and whether anything could use it (RULES.md 13).

#include <span>
#include <vector>

#include "model/evidence.h"

namespace etiage::ledger {

/// Free shares of a node over a span, in cards.
struct FreeShare {
  Window span;
  double unallocated = 0;
  double stranded = 0;
};

/// The holdings and pods of one node.
struct Tenants {
  std::vector<HoldingId> holdings;
  std::vector<PodId> pods;
};

/// Sorted and without gaps over the node's life; constant between the moments at which a pod comes or goes.
std::vector<FreeShare> free_shares(const Evidence& evidence, NodeId node, const Tenants& tenants);

}  // namespace etiage::ledger
