#pragma once
// Whether what is exported arrives, and arrives whole: monitors of the Prometheus operator, and DCGM
// exporter's own settings. Only what the objects decide is said.

#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/evidence.h"

namespace etiage::explain {

/// `cluster`: as the evidence names the cluster of these objects.
std::vector<Check> scraping_checks(const Evidence& evidence, const std::string& cluster,
                                   const Cluster& objects);

/// Its two halves: of ServiceMonitors and PodMonitors, of exporters.
std::vector<Check> monitor_checks(const Evidence& evidence, const std::string& cluster,
                                  const Cluster& objects);
std::vector<Check> exporter_checks(const Cluster& objects);

}  // namespace etiage::explain
