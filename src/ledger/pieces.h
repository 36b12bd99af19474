#pragma once
// Where a figure comes from: the pieces of time and share that make it up.

#include <functional>
#include <vector>

#include "ledger/booking.h"

namespace etiage::ledger {

struct Piece {
  Window span;
  NodeId node;
  Entry entry;         ///< its share, bucket, busy share, signal and grade
  Money amount;        ///< the pieces of a pod, bucket and cell sum to its leaf
  HourlyPrice hourly;  ///< of the whole node
  std::string price_source;
};

/// Which entries are wanted.
using PieceFilter = std::function<bool(NodeId, const Entry&)>;

/// In order of node, time and booking; neighbours in time that say the same become one.
std::vector<Piece> pieces(const Evidence& evidence, const Ledger& ledger, const PriceBook& book,
                          const PieceFilter& wanted);

}  // namespace etiage::ledger
