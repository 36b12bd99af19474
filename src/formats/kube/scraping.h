#pragma once
// ServiceMonitor, PodMonitor, Prometheus, PrometheusAgent, Service; what runs DCGM exporter, and its
// counters.

#include <optional>
#include <string>

#include "base/tree.h"
#include "model/scraping.h"

namespace etiage::formats {

/// False: another kind.
bool read_scraping_object(const Tree& object, const std::string& file, Scraping& into);

/// Of a workload with a pod template, or of a pod as the API shows it; nothing where none of its containers
/// is DCGM exporter.
std::optional<Exporter> read_exporter(const Tree& object, const std::string& file);

/// Nothing: a ConfigMap of something else.
std::optional<CounterList> read_counter_list(const Tree& object, const std::string& file);

}  // namespace etiage::formats
