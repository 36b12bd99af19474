#pragma once
// PromQL as far as it takes to see what an expression does: its tree, without values or types.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage::explain::promql {

struct Matcher {
  std::string label, op, value;

  bool operator==(const Matcher&) const = default;
};

struct Expr {
  enum class Kind { kNumber, kString, kSelector, kCall, kAggregate, kBinary, kUnary, kSubquery };
  Kind kind = Kind::kNumber;
  std::string name;  ///< the metric, function or operator; of a literal its text
  std::vector<Matcher> matchers;
  std::string range;                ///< of a selector or subquery: `5m`, as written; empty: an instant
  std::vector<std::string> labels;  ///< of `by`, `without`, `on` or `ignoring`
  std::string grouping;             ///< which of these; empty: none
  std::string group_side;           ///< `group_left`, `group_right`, or empty
  std::vector<Expr> args;

  bool operator==(const Expr&) const = default;
};

/// Dashboards' variables (`$x`, `${x}`, `[[x]]`, `[$__rate_interval]`) are taken for names and durations.
/// Refused with the place of the fault: what no Prometheus would read, and nesting beyond 100.
Result<Expr> parse(std::string_view text);

/// Calls `f(expression)` for it and everything in it, outermost first.
template <class F>
void each(const Expr& e, F&& f) {
  f(e);
  for (const Expr& arg : e.args) each(arg, f);
}

/// Whether anything in it satisfies `f`.
template <class F>
bool any(const Expr& e, F&& f) {
  bool found = false;
  each(e, [&](const Expr& inner) { found = found || f(inner); });
  return found;
}

/// The metrics that its selectors name, by `__name__` too.
std::vector<std::string> metrics(const Expr& e);

}  // namespace etiage::explain::promql
