#pragma once
// What is left of labels and metrics when an endpoint's relabelings are done, as far as that can be told
// without their values. Private to this folder.

#include <map>
#include <string>
#include <string_view>

#include "model/scraping.h"

namespace etiage::explain {

/// By label, what its value is of: `exported_pod` of the `workload's pod`.
using LabelOrigins = std::map<std::string, std::string, std::less<>>;

/// The labels of a row: those of its target, relabeled, then those of the sample, honored or renamed,
/// relabeled.
LabelOrigins scraped_labels(LabelOrigins target, const LabelOrigins& sample, const ScrapeEndpoint& endpoint);

/// Whether every sample of the metric is dropped.
bool drops_metric(const ScrapeEndpoint& endpoint, std::string_view metric);

}  // namespace etiage::explain
