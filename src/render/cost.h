#pragma once
// The answer of `etiage cost`.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ledger/breakdown.h"
#include "ledger/tenants.h"
#include "model/evidence.h"
#include "render/next.h"
#include "render/table.h"

namespace etiage::render {

/// Whether nobody held it, and the values of the keys.
using CostKey = std::pair<bool, std::vector<std::string>>;

struct Cost {
  Window window;
  std::string currency;
  Money bill;
  std::vector<std::string> by;
  std::vector<ledger::BreakdownRow> rows;
  std::optional<Window> compared;   ///< the window before, where one was asked for
  std::map<CostKey, Money> before;  ///< cost of each row in it
  std::string listed = {};          ///< which rows are listed, where not all: `namespace chat`
  std::vector<NextStep> next = {};
  double cached_weight = 0;
  std::optional<std::vector<ledger::TenantModel>> tenant_models;  ///< where the tenant is a key
  std::vector<GatewayModel> unmatched;  ///< what gateways name and nothing here serves
  std::vector<std::string> notes;       ///< on what the rows rest, for people
  Diagnostics diagnostics;              ///< of the inputs
};

std::string cost_json(const Cost& cost);
std::vector<Table> cost_tables(const Cost& cost);

}  // namespace etiage::render
