#pragma once
// What the checks of monitors share: whom a monitor is for. Private to this folder.

#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/evidence.h"

namespace etiage::explain {

enum class Scraped { kDcgm, kKubeState, kEngine, kOther };

/// The objects among which monitors look, and those whom they concern.
struct Scene {
  const Evidence& evidence;
  const std::string& cluster;
  const Cluster& objects;
};

/// `ServiceMonitor monitoring/dcgm`
std::string named(const ScrapeMonitor& monitor);
bool by_pods(const ScrapeMonitor& monitor);
bool looks_into(const ScrapeMonitor& monitor, const std::string& ns);
/// Whether a pod of these labels is scraped by way of the monitor.
bool reaches(const ScrapeMonitor& monitor, const Scene& scene, const std::string& ns, const LabelMap& labels);
/// Whether its name or what it selects has the word, by which it is known where what it selects is not.
bool speaks_of(const ScrapeMonitor& monitor, std::string_view word);
Scraped scraped_by(const ScrapeMonitor& monitor, const Scene& scene);
/// Pods that serve a model, known by their objects.
std::vector<const PodLife*> servers(const Scene& scene);

/// What the endpoints' rules and intervals leave of what is exported.
void check_rows(const ScrapeMonitor& monitor, Scraped what, const Scene& scene, std::vector<Check>& out);

}  // namespace etiage::explain
