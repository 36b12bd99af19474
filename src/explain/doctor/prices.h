#pragma once
// Whether price lists fit the nodes they are for.

#include <vector>

#include "ledger/ledger.h"
#include "model/prices.h"

namespace etiage::explain {

/// `given`: the user's lists, before the catalogue's rows stand behind them.
std::vector<Check> price_checks(const Evidence& evidence, const ledger::Ledger& ledger,
                                const PriceBook& given);

}  // namespace etiage::explain
