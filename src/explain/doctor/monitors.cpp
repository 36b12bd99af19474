// ServiceMonitors and PodMonitors: whom they are for, and whether they find them.

#include "explain/doctor/monitors.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "base/ascii.h"
#include "explain/doctor/scraping.h"
#include "model/selector.h"

namespace etiage::explain {

std::string named(const ScrapeMonitor& m) {
  return m.kind + " " + m.meta.ns + "/" + m.meta.name;
}

bool looks_into(const ScrapeMonitor& m, const std::string& ns) {
  return std::ranges::any_of(m.namespaces, [&](const auto& n) { return n == "*" || n == ns; });
}

bool by_pods(const ScrapeMonitor& m) {
  return m.kind == "PodMonitor";
}

bool reaches(const ScrapeMonitor& m, const Scene& scene, const std::string& ns, const LabelMap& labels) {
  if (!looks_into(m, ns)) return false;
  if (by_pods(m)) return matches(m.selector, labels);
  return std::ranges::any_of(scene.objects.scraping.services, [&](const ScrapedService& s) {
    return s.meta.ns == ns && !s.selector.empty() && contains_all(labels, s.selector) &&
           matches(m.selector, s.meta.labels);
  });
}

std::vector<const PodLife*> servers(const Scene& scene) {
  std::vector<const PodLife*> out;
  for (const PodLife& pod : scene.evidence.pods)
    if (pod.cluster == scene.cluster && pod.source == PodSource::kObjects && pod.model.valid() &&
        pod.leader && !pod.workload_kind.ends_with("Job"))
      out.push_back(&pod);
  return out;
}

bool speaks_of(const ScrapeMonitor& m, std::string_view word) {
  const auto in = [&](const std::string& text) { return lower_case(text).contains(word); };
  return in(m.meta.name) ||
         std::ranges::any_of(m.selector.match_labels, [&](const auto& l) { return in(l.second); }) ||
         std::ranges::any_of(m.selector.match_expressions, [&](const Requirement& r) {
           return r.op == Requirement::Operator::kIn && std::ranges::any_of(r.values, in);
         });
}

Scraped scraped_by(const ScrapeMonitor& m, const Scene& scene) {
  const auto& exporters = scene.objects.scraping.exporters;
  if (speaks_of(m, "dcgm") || std::ranges::any_of(exporters, [&](const Exporter& e) {
        return reaches(m, scene, e.meta.ns, e.pod_labels);
      }))
    return Scraped::kDcgm;
  if (speaks_of(m, "kube-state-metrics")) return Scraped::kKubeState;
  if (std::ranges::any_of(servers(scene),
                          [&](const PodLife* p) { return reaches(m, scene, p->ns, p->labels); }))
    return Scraped::kEngine;
  for (std::string_view engine : {"vllm", "sglang", "text-generation-inference", "llm", "triton"})
    if (speaks_of(m, engine)) return Scraped::kEngine;
  return Scraped::kOther;
}

namespace {

// Whether a Prometheus takes the monitor, and the monitor finds anything.

/// Whether the server looks into the monitor's namespace; yes where nothing tells.
bool watches(const PrometheusServer& server, const ScrapeMonitor& m, const Cluster& objects) {
  const auto& selector = by_pods(m) ? server.pod_monitor_namespaces : server.service_monitor_namespaces;
  if (!selector) return m.meta.ns == server.meta.ns;
  if (is_empty(*selector)) return true;
  const auto ns = std::ranges::find(objects.namespaces, m.meta.ns, &ObjectMeta::name);
  return ns == objects.namespaces.end() || matches(*selector, ns->labels);
}

void check_taken(const ScrapeMonitor& m, const Scene& scene, std::vector<Check>& out) {
  const auto& servers = scene.objects.scraping.servers;
  const std::string field = by_pods(m) ? "podMonitor" : "serviceMonitor";
  std::vector<std::string> labels;
  bool elsewhere = false;  // only the namespace keeps it out
  for (const PrometheusServer& server : servers) {
    const auto& selector = by_pods(m) ? server.pod_monitors : server.service_monitors;
    const bool fits = matches(selector, m.meta.labels);
    if (fits && watches(server, m, scene.objects)) return;
    elsewhere |= fits;
    if (selector)
      for (const auto& [key, value] : selector->match_labels)
        labels.push_back(fmt::format("{}={}", key, value));
  }
  if (servers.empty()) return;
  std::string fix = fmt::format("kubectl -n {} label {} {} {}", m.meta.ns, lower_case(m.kind), m.meta.name,
                                fmt::join(labels, " "));
  if (labels.empty()) fix = fmt::format("spec.{}Selector: {{}} of the Prometheus takes all of them", field);
  if (elsewhere)
    fix = fmt::format("spec.{}NamespaceSelector: {{}} of the Prometheus looks into all namespaces", field);
  out.push_back(
      {"monitor-not-taken",
       Severity::kWarning,
       fmt::format("no Prometheus takes {}: {}", named(m),
                   elsewhere ? "none looks into its namespace" : "its labels fit none of their selectors"),
       "what it would scrape is not there",
       std::move(fix),
       {named(m)}});
}

/// How many Services or pods it finds; nothing: none of its namespaces is among the objects.
std::optional<std::size_t> found_by(const ScrapeMonitor& m, const Cluster& objects) {
  bool any = false;
  std::size_t found = 0;
  const auto look = [&](const ObjectMeta& meta) {
    if (!looks_into(m, meta.ns)) return;
    any = true;
    found += matches(m.selector, meta.labels) ? 1 : 0;
  };
  if (by_pods(m))
    for (const Pod& pod : objects.pods) look(pod.meta);
  else
    for (const ScrapedService& service : objects.scraping.services) look(service.meta);
  return any ? std::optional(found) : std::nullopt;
}

void check_finds(const ScrapeMonitor& m, const Scene& scene, std::vector<Check>& out) {
  if (found_by(m, scene.objects) != 0) return;
  const std::string_view what = by_pods(m) ? "pod" : "Service";
  out.push_back({"monitor-finds-nothing",
                 Severity::kWarning,
                 fmt::format("{} selects no {} of {}", named(m), what, fmt::join(m.namespaces, ", ")),
                 "what it would scrape is not there",
                 fmt::format("kubectl -n {} get {} --show-labels  # spec.selector must fit these, and "
                             "spec.namespaceSelector their namespace",
                             m.namespaces.front() == "*" ? m.meta.ns : m.namespaces.front(),
                             by_pods(m) ? "pods" : "services"),
                 {named(m)}});
}

void check_ports(const ScrapeMonitor& m, const Scene& scene, std::vector<Check>& out) {
  if (by_pods(m)) return;
  for (const ScrapeEndpoint& e : m.endpoints)
    for (const ScrapedService& s : scene.objects.scraping.services)
      if (!e.port.empty() && looks_into(m, s.meta.ns) && matches(m.selector, s.meta.labels) &&
          std::ranges::find(s.ports, e.port) == s.ports.end())
        out.push_back({"monitor-port",
                       Severity::kWarning,
                       fmt::format("{} scrapes port {}, and Service {}/{} has {}", named(m), e.port,
                                   s.meta.ns, s.meta.name, fmt::join(s.ports, ", ")),
                       "nothing of it is scraped",
                       "name one of the Service's ports in the monitor's endpoint",
                       {named(m)}});
}

/// Whether the pod's annotations ask to be scraped, as many Prometheus configurations without an operator do.
bool asks_by_annotation(const Scene& scene, const PodLife& life) {
  return std::ranges::any_of(scene.objects.pods, [&](const Pod& pod) {
    if (pod.meta.ns != life.ns || pod.meta.name != life.name) return false;
    const auto it = pod.meta.annotations.find("prometheus.io/scrape");
    return it != pod.meta.annotations.end() && it->second == "true";
  });
}

/// The label that tells the pod's workload from others.
std::string telling_label(const LabelMap& labels) {
  for (const char* key : {"app.kubernetes.io/name", "app", "app.kubernetes.io/instance"})
    if (const auto it = labels.find(key); it != labels.end()) return fmt::format("{}: {}", key, it->second);
  for (const auto& [key, value] : labels)
    if (!key.ends_with("-hash") && !key.contains("pod-index")) return fmt::format("{}: {}", key, value);
  return "";
}

std::string pod_monitor(const PodLife& pod) {
  return fmt::format(
      "apiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {{name: {}, namespace: {}}}\n"
      "spec:\n  selector: {{matchLabels: {{{}}}}}\n  podMetricsEndpoints: [{{port: http, path: /metrics}}]  "
      "# the "
      "name of the container's port",
      pod.workload.empty() ? pod.name : pod.workload, pod.ns, telling_label(pod.labels));
}

/// Servers of models that no monitor and no annotation has scraped.
void check_servers(const Scene& scene, std::vector<Check>& out) {
  const auto& monitors = scene.objects.scraping.monitors;
  const bool services_known = !scene.objects.scraping.services.empty();
  const bool by_services = std::ranges::any_of(monitors, [](const auto& m) { return !by_pods(m); });
  if (monitors.empty() || (by_services && !services_known)) return;
  std::vector<const PodLife*> missed;
  for (const PodLife* pod : servers(scene)) {
    const auto reached = [&](const ScrapeMonitor& m) { return reaches(m, scene, pod->ns, pod->labels); };
    if (!pod->counts_tokens && std::ranges::none_of(monitors, reached) && !asks_by_annotation(scene, *pod))
      missed.push_back(pod);
  }
  if (missed.empty()) return;
  Check check{"engine-not-monitored",
              Severity::kWarning,
              "pods serve models, and no ServiceMonitor or PodMonitor selects them",
              "their tokens are not counted, and so no price of theirs is known",
              pod_monitor(*missed.front()),
              {}};
  for (const PodLife* pod : missed) check.subjects.push_back(pod->ns + "/" + pod->name);
  out.push_back(std::move(check));
}

}  // namespace

std::vector<Check> monitor_checks(const Evidence& evidence, const std::string& cluster,
                                  const Cluster& objects) {
  const Scene scene{evidence, cluster, objects};
  std::vector<Check> out;
  for (const ScrapeMonitor& m : objects.scraping.monitors) {
    const Scraped what = scraped_by(m, scene);
    if (what != Scraped::kOther) {
      check_taken(m, scene, out);
      check_finds(m, scene, out);
      check_ports(m, scene, out);
    }
    check_rows(m, what, scene, out);
  }
  check_servers(scene, out);
  return out;
}

}  // namespace etiage::explain
