#pragma once
// How metrics come to Prometheus, as far as objects tell it: monitors of its operator, exporters, and the
// lists of what these are to export.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/pod.h"

namespace etiage {

/// One step of relabeling.
struct RelabelRule {
  std::string action = "replace";  ///< in lower case
  std::vector<std::string> source_labels;
  std::string regex = "(.*)", target_label, replacement = "$1";

  bool operator==(const RelabelRule&) const = default;
};

struct ScrapeEndpoint {
  std::string port;                           ///< its name or number; empty: not told
  std::optional<Duration> interval, timeout;  ///< absent: Prometheus's own
  bool honor_labels = false;
  std::vector<RelabelRule> relabelings;         ///< of targets
  std::vector<RelabelRule> metric_relabelings;  ///< of samples

  bool operator==(const ScrapeEndpoint&) const = default;
};

/// A ServiceMonitor or a PodMonitor.
struct ScrapeMonitor {
  std::string kind;
  ObjectMeta meta;
  LabelSelector selector;               ///< of Services, or of pods
  std::vector<std::string> namespaces;  ///< in which it looks; `*`: in all
  std::vector<ScrapeEndpoint> endpoints;

  bool operator==(const ScrapeMonitor&) const = default;
};

/// A Prometheus (or agent) of the operator: whose monitors it takes.
struct PrometheusServer {
  ObjectMeta meta;
  std::optional<LabelSelector> service_monitors, pod_monitors;  ///< absent: none of that kind
  std::optional<LabelSelector> service_monitor_namespaces, pod_monitor_namespaces;  ///< absent: its own

  bool operator==(const PrometheusServer&) const = default;
};

/// A Service as monitors see it.
struct ScrapedService {
  ObjectMeta meta;
  LabelMap selector;
  std::vector<std::string> ports;  ///< names and numbers

  bool operator==(const ScrapedService&) const = default;
};

/// A workload that runs DCGM exporter, or a pod of it where the workload itself is not among the objects.
struct Exporter {
  std::string kind;  ///< of the workload
  ObjectMeta meta;   ///< its name
  bool by_pod = false;
  LabelMap pod_labels;
  PodSpec spec;
  std::size_t container = 0;                  ///< which of the spec's containers it is
  std::map<std::string, std::string> mounts;  ///< path in the container to `host:PATH` or `configMap:NAME`
  bool may_profile = false;                   ///< privileged, or with SYS_ADMIN

  bool operator==(const Exporter&) const = default;
};

/// A ConfigMap's list of what DCGM exporter exports.
struct CounterList {
  ObjectMeta meta;
  std::vector<std::string> counters;

  bool operator==(const CounterList&) const = default;
};

struct Scraping {
  std::vector<ScrapeMonitor> monitors;
  std::vector<PrometheusServer> servers;
  std::vector<ScrapedService> services;
  std::vector<Exporter> exporters;
  std::vector<CounterList> counter_lists;

  bool operator==(const Scraping&) const = default;
};

}  // namespace etiage
