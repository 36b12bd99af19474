// `avg by (exported_pod) (DCGM_FI_PROF_SM_ACTIVE)`: how busy a pod keeps its cards.

#include <algorithm>
#include <fmt/format.h>

#include "explain/promql/rules.h"

namespace etiage::explain::promql {
namespace {

bool averages_pods(const Expr& e) {
  return e.kind == Expr::Kind::kAggregate && e.grouping == "by" &&
         (e.name == "avg" || e.name == "sum" || e.name == "max" || e.name == "min") &&
         has_label(e, {"pod", "exported_pod", "pod_name"}) && reads(e, is_gpu_activity) && !reads(e, is_cost);
}

bool over_time(const Expr& e) {
  return any(e, [](const Expr& inner) { return !inner.range.empty(); });
}

/// All that is wrong with it, as a clause each.
std::vector<std::string> wrongs(const Expr& e, const std::string& metric) {
  std::vector<std::string> out;
  if (!has_label(e, {"namespace", "exported_namespace", "pod_namespace"}))
    out.push_back("pods of the same name in different namespaces and clusters become one");
  if (!over_time(e)) out.push_back("it sees one instant of each scrape");
  if (out.empty()) return out;
  if (metric.ends_with("SM_ACTIVE")) out.push_back("DCGM's exporter does not export SM_ACTIVE by default");
  if (has_label(e, {"exported_pod"}))
    out.push_back("exported_pod is there only where the scrape does not honour labels");
  out.push_back("idle cards fall into the group without a name");
  out.push_back("sharers of a card each show the whole card's value");
  return out;
}

std::string right_form(const Expr& e, const std::string& metric) {
  const bool exported = has_label(e, {"exported_pod"});
  const std::string by = exported ? "cluster, exported_namespace, exported_pod" : "cluster, namespace, pod";
  return fmt::format("sum by ({0}) (avg_over_time({1}[1h])) / count by ({0}) (last_over_time({1}[1h]))", by,
                     metric);
}

}  // namespace

Faults busy_by_pod(const Expr& e, const Records&) {
  Faults out;
  each(e, [&](const Expr& inner) {
    if (!averages_pods(inner)) return;
    const auto names = metrics(inner);
    const std::string& metric = *std::ranges::find_if(names, is_gpu_activity);
    const auto wrong = wrongs(inner, metric);
    if (wrong.empty()) return;
    out.push_back(
        {"promql-busy-by-pod",
         Severity::kWarning,
         fmt::format("how busy pods are, by {}: {}", fmt::join(inner.labels, ", "), fmt::join(wrong, "; ")),
         "a pod's share of its cards is wrong, or another pod's",
         right_form(inner, metric),
         {}});
  });
  return out;
}

}  // namespace etiage::explain::promql
