#pragma once
// The bill by any mix of keys: model, team, namespace, workload, node, card, a pod label, hour, day.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/unit_cost.h"

namespace etiage::ledger {

/// One key of a breakdown.
struct Dimension {
  enum class Kind {
    kModel,
    kTeam,
    kNamespace,
    kWorkload,
    kKind,
    kPod,
    kNode,
    kCard,
    kCluster,
    kLabel,
    kHour,
    kDay,
    kTenant  ///< whom the models served: ledger/tenants.h
  };
  Kind kind = Kind::kNamespace;
  std::string label;  ///< of kLabel

  std::string name() const;  ///< as given: `team`, `label:app`
  bool operator==(const Dimension&) const = default;
};

/// `model,team,label:app,day`: unknown keys are refused with the known ones.
Result<std::vector<Dimension>> parse_dimensions(std::string_view text);

/// The value of an hour or a day: the former as its first moment, the latter as a date.
std::string time_key(const Dimension& dimension, Instant t);

struct BreakdownRow {
  std::vector<std::string> key;  ///< one value a dimension; empty where nobody or nothing has it
  Buckets buckets;
  Money borne;                ///< idle put on it besides
  UnitCost unit;              ///< its cost holds buckets and borne
  bool unattributed = false;  ///< what no pod held
};

/// Rows by key, unattributed last; what nobody held is in them only without a filter, and then their costs
/// sum to the bill. What pods bear has left the rows of nobody.
std::vector<BreakdownRow> breakdown(const Evidence& evidence, const Ledger& ledger,
                                    const std::vector<Dimension>& by, const std::vector<Money>& borne = {},
                                    const PodFilter& wanted = {});

}  // namespace etiage::ledger
