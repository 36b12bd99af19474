#pragma once
// Random worlds as evidence, no files involved: what a property of the ledger must hold on.

#include <cstdint>

#include "model/evidence.h"
#include "model/prices.h"

namespace etiage::ledger::testing {

struct RandomWorld {
  Evidence evidence;
  PriceBook prices;
};

/// The same seed, the same world: nodes that come late, shared and cut cards, pods that come, start, restart
/// and go, works with several signals, CPU demand, tokens of several models, prices that change inside an
/// hour.
RandomWorld random_world(std::uint64_t seed);

}  // namespace etiage::ledger::testing
