#include "app/doctor.h"

#include <algorithm>

#include "app/waste.h"
#include "explain/doctor/autoscalers.h"
#include "explain/doctor/scraping.h"
#include "explain/promql/checks.h"

namespace etiage::app {
namespace {

void append(std::vector<Check>& to, std::vector<Check> more) {
  std::ranges::move(more, std::back_inserter(to));
}

std::vector<PromqlUse> promql_of(const Loaded& inputs) {
  std::vector<PromqlUse> out = inputs.promql;
  for (const auto& cluster : inputs.sources.clusters) {
    out.insert(out.end(), cluster.objects.promql.begin(), cluster.objects.promql.end());
    for (const Autoscaler& a : cluster.objects.autoscalers)
      for (const ScalingMetric& m : a.metrics)
        if (!m.query.empty())
          out.push_back({a.kind + " " + a.meta.ns + "/" + a.meta.name, "", m.query, a.meta.place});
  }
  return out;
}

/// Of all clusters; objects that belong to each are told once.
std::vector<Check> scraping_checks(const Loaded& inputs, const Evidence& evidence) {
  std::vector<Check> out;
  for (const auto& cluster : inputs.sources.clusters)
    for (Check& check :
         explain::scraping_checks(evidence, cluster_in(evidence, cluster.name), cluster.objects))
      if (std::ranges::find(out, check.message, &Check::message) == out.end())
        out.push_back(std::move(check));
  return out;
}

bool has_evidence(const Loaded& inputs) {
  return !inputs.sources.series.all().empty() ||
         std::ranges::any_of(inputs.sources.clusters, [](const auto& c) {
           const auto& scraping = c.objects.scraping;
           return !c.objects.nodes.empty() || !c.objects.pods.empty() || !c.objects.dra.slices.empty() ||
                  !c.objects.autoscalers.empty() || !scraping.monitors.empty() || !scraping.exporters.empty();
         });
}

}  // namespace

Result<DoctorReport> doctor(const ReadOptions& options, const std::string& promql) {
  DoctorReport out;
  std::vector<PromqlUse> uses;
  if (!promql.empty()) uses.push_back({"", "", promql, {}});
  if (!options.paths.empty()) {
    const auto inputs = load_inputs(options, true);
    if (!inputs) return std::unexpected(inputs.error());
    std::ranges::move(promql_of(*inputs), std::back_inserter(uses));
    out.judged = has_evidence(*inputs) || uses.empty();
    if (out.judged) {
      const auto reading = settle(*inputs, options, options.window);
      if (!reading) return std::unexpected(reading.error());
      out.grade = reading->grade;
      out.checks = reading->checks;
      append(out.checks,
             explain::autoscaler_checks(reading->evidence, autoscalers_of(*inputs, reading->evidence)));
      append(out.checks, scraping_checks(*inputs, reading->evidence));
    }
  }
  append(out.checks, explain::promql_checks(uses));
  std::ranges::stable_sort(out.checks, std::ranges::greater{}, &Check::severity);
  return out;
}

}  // namespace etiage::app
