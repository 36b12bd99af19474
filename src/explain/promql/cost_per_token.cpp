// `(sum(rate(node_hourly_cost[5m])) / 3600) / (sum(rate(vllm_generation_tokens_total[5m])) / 1e6)`: money of
// a million tokens.

#include <algorithm>
#include <fmt/format.h>

#include "explain/promql/rules.h"

namespace etiage::explain::promql {
namespace {

bool cost_over_tokens(const Expr& e) {
  return e.kind == Expr::Kind::kBinary && e.name == "/" && reads(e.args[0], is_cost) &&
         reads(e.args[1], is_token_counter);
}

bool by_model(const Expr& e) {
  return any(e, [](const Expr& i) {
    return i.kind == Expr::Kind::kAggregate && i.grouping == "by" && has_label(i, {"model_name", "model"});
  });
}

/// Whether it is wrong, not only coarse.
bool rates_cost(const Expr& e) {
  return any(e, [](const Expr& i) { return is_rate(i) && reads(i, is_cost); });
}

}  // namespace

Faults cost_per_token(const Expr& e, const Records&) {
  Faults out;
  each(e, [&](const Expr& inner) {
    if (!cost_over_tokens(inner)) return;
    std::vector<std::string> wrong;
    const bool rated = rates_cost(inner.args[0]);
    if (rated)
      wrong.push_back("rate() of a price, a gauge, is 0 while the price stays, and a spike when it falls");
    if (!by_model(inner.args[0]) || !by_model(inner.args[1]))
      wrong.push_back("all nodes over all models are no model's cost");
    if (wrong.empty()) return;
    wrong.push_back("without traffic it is infinite, and a mean of such ratios is not the period's cost");
    out.push_back({"promql-cost-per-token",
                   rated ? Severity::kError : Severity::kInfo,
                   fmt::format("money of a million tokens: {}", fmt::join(wrong, "; ")),
                   rated ? "0, or a spike, whatever was spent" : "a figure without a model",
                   "1e6 * sum by (model_name) (avg_over_time(pod_cost_per_hour[1h])) / sum by (model_name) "
                   "(increase(vllm:generation_tokens_total[1h]))  # pod_cost_per_hour: a record of requests "
                   "times price; exactly, resets and idle hours included: etiage cost --by model",
                   {}});
  });
  return out;
}

}  // namespace etiage::explain::promql
