#pragma once
// Metrics that inference engines exported once and have renamed or dropped since: what people's dashboards,
// alerts and autoscalers still ask for.

#include <span>
#include <string_view>

namespace etiage::catalog {

struct RenamedMetric {
  std::string_view metric;   ///< of a histogram without `_sum`, `_count` and `_bucket`
  std::string_view dialect;  ///< as evidence names the engine
  std::string_view instead;  ///< a metric, or PromQL; of a histogram without the ending
};

std::span<const RenamedMetric> renamed_metrics();
/// Also of a histogram's parts; null where it was not renamed.
const RenamedMetric* renamed_metric(std::string_view metric);

}  // namespace etiage::catalog
