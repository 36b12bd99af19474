#include "explain/lint/lint.h"

#include <algorithm>
#include <tuple>

#include "explain/lint/dra_rules.h"
#include "explain/lint/kueue_rules.h"
#include "explain/lint/scheduling_rules.h"

namespace etiage::explain {

std::vector<RuleSet> rule_sets() {
  return {lint_dra, lint_kueue, lint_scheduling};
}

Diagnostics lint(const LintInput& input) {
  Diagnostics out;
  for (const RuleSet& rules : rule_sets()) rules(input, out);
  std::ranges::stable_sort(out, {}, [](const Diagnostic& d) { return std::tie(d.place.file, d.place.line); });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace etiage::explain
