#pragma once
// Models' money divided between those who asked, by what gateways counted of the engines' tokens.
//
//   prefill money  |-- tenant a --|-- b --|---- unattributed ----|   by computed prompt tokens
//   decode money   |---- a ----|-------- b --------|-- unattr. --|   by output tokens
//
// The whole of each bar is what the engine counted, or what gateways did, whichever is more: where gateways
// count more, tenants are scaled down and nothing is left over.

#include <string>
#include <vector>

#include "ledger/breakdown.h"

namespace etiage::ledger {

/// How much of a model gateways tell of, in the window.
struct TenantModel {
  std::string model;
  Money cost, attributed;
  TokenCounts engine, gateway;

  bool scaled() const;
};

struct TenantBill {
  std::vector<BreakdownRow> rows;   ///< by key, unattributed last; their costs sum to those of the models
  std::vector<TenantModel> models;  ///< by name
};

/// `by` has the tenant among its keys. With `hour` or `day` among them each is divided by its own tokens. The
/// rest as for `breakdown`; what serves no model is left out.
TenantBill divide_by_tenants(const Evidence& evidence, const Ledger& ledger, const std::vector<Dimension>& by,
                             const std::vector<Money>& borne = {}, const PodFilter& wanted = {},
                             double cached_weight = 0);

}  // namespace etiage::ledger
