#include "explain/promql/checks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "explain/promql/rules.h"

namespace etiage::explain {
namespace {

using promql::Expr;
using promql::Faults;
using promql::Records;

using Rule = Faults (*)(const Expr&, const Records&);
constexpr std::array<Rule, 10> kRules{
    promql::busy_by_pod,    promql::cost_by_memory, promql::cost_per_token,   promql::rate_of_gauge,
    promql::unknown_metric, promql::renamed_metric, promql::join_on_instance, promql::gpu_util,
    promql::units,          promql::prefix_cache};

std::string subject_of(const PromqlUse& use) {
  std::string out = use.owner;
  if (!use.name.empty()) out += (out.empty() ? "" : ": ") + use.name;
  return out.empty() ? use.expr : out;
}

/// Faults of the same words become one, with all their subjects.
void add(std::vector<Check>& checks, Check fault, const std::string& subject) {
  const auto same = std::ranges::find_if(checks, [&](const Check& c) {
    return c.id == fault.id && c.message == fault.message && c.fix == fault.fix;
  });
  Check& into = same == checks.end() ? checks.emplace_back(std::move(fault)) : *same;
  if (std::ranges::find(into.subjects, subject) == into.subjects.end()) into.subjects.push_back(subject);
}

}  // namespace

std::vector<Check> promql_checks(std::span<const PromqlUse> uses) {
  Records records;
  for (const PromqlUse& use : uses) records.insert(use.name);
  std::vector<Check> out;
  for (const PromqlUse& use : uses) {
    const auto expr = promql::parse(use.expr);
    if (!expr) {
      add(out,
          {"promql-unreadable",
           Severity::kWarning,
           fmt::format("{} at column {}", expr.error().message, expr.error().place.column),
           "it is not judged",
           "promtool check rules FILE says what Prometheus thinks of it",
           {}},
          subject_of(use));
      continue;
    }
    for (Rule rule : kRules)
      for (Check& fault : rule(*expr, records)) add(out, std::move(fault), subject_of(use));
  }
  return out;
}

}  // namespace etiage::explain
