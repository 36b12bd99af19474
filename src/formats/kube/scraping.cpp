#include "formats/kube/scraping.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/diagnostic.h"
#include "formats/kube/meta.h"
#include "formats/kube/pod.h"

namespace etiage::formats {
namespace {

std::vector<std::string> texts(const Tree& tree) {
  std::vector<std::string> out;
  for (const Tree& item : tree.items()) out.push_back(item.text());
  return out;
}

std::vector<RelabelRule> read_relabelings(const Tree& tree) {
  std::vector<RelabelRule> out;
  for (const Tree& item : tree.items()) {
    RelabelRule rule;
    if (item.has("action")) rule.action = lower_case(item["action"].text());
    rule.source_labels = texts(item["sourceLabels"]);
    if (item.has("regex")) rule.regex = item["regex"].text();
    rule.target_label = item["targetLabel"].text();
    if (item.has("replacement")) rule.replacement = item["replacement"].text();
    out.push_back(std::move(rule));
  }
  return out;
}

ScrapeEndpoint read_endpoint(const Tree& tree) {
  ScrapeEndpoint out;
  for (const char* field : {"port", "targetPort", "portNumber"})
    if (out.port.empty()) out.port = tree[field].text();
  out.interval = parse_duration(tree["interval"].text());
  out.timeout = parse_duration(tree["scrapeTimeout"].text());
  out.honor_labels = tree["honorLabels"].as_bool().value_or(false);
  out.relabelings = read_relabelings(tree["relabelings"]);
  out.metric_relabelings = read_relabelings(tree["metricRelabelings"]);
  return out;
}

ScrapeMonitor read_monitor(const Tree& object, const std::string& file, bool of_pods) {
  const Tree& spec = object["spec"];
  ScrapeMonitor out{.kind = object["kind"].text(),
                    .meta = read_meta(object, file, true),
                    .selector = read_label_selector(spec["selector"]),
                    .namespaces = texts(spec["namespaceSelector"]["matchNames"]),
                    .endpoints = {}};
  if (spec["namespaceSelector"]["any"].as_bool().value_or(false)) out.namespaces = {"*"};
  if (out.namespaces.empty()) out.namespaces = {out.meta.ns};
  for (const Tree& endpoint : spec[of_pods ? "podMetricsEndpoints" : "endpoints"].items())
    out.endpoints.push_back(read_endpoint(endpoint));
  return out;
}

std::optional<LabelSelector> read_selector(const Tree& tree) {
  return tree.is_map() ? std::optional(read_label_selector(tree)) : std::nullopt;
}

PrometheusServer read_server(const Tree& object, const std::string& file) {
  const Tree& spec = object["spec"];
  return {read_meta(object, file, true), read_selector(spec["serviceMonitorSelector"]),
          read_selector(spec["podMonitorSelector"]), read_selector(spec["serviceMonitorNamespaceSelector"]),
          read_selector(spec["podMonitorNamespaceSelector"])};
}

ScrapedService read_service(const Tree& object, const std::string& file) {
  ScrapedService out{read_meta(object, file, true), read_label_map(object["spec"]["selector"]), {}};
  for (const Tree& port : object["spec"]["ports"].items())
    for (const char* field : {"name", "port", "targetPort"})
      if (port.has(field)) out.ports.push_back(port[field].text());
  return out;
}

bool runs_dcgm_exporter(const Tree& container) {
  return container["image"].text().contains("dcgm-exporter") ||
         container["name"].text().contains("dcgm-exporter");
}

/// What of the pod's volumes stands where in the container.
std::map<std::string, std::string> read_mounts(const Tree& container, const Tree& volumes) {
  std::map<std::string, std::string> out;
  for (const Tree& mount : container["volumeMounts"].items())
    for (const Tree& volume : volumes.items()) {
      if (volume["name"].text() != mount["name"].text()) continue;
      if (volume.has("hostPath"))
        out[mount["mountPath"].text()] = "host:" + volume["hostPath"]["path"].text();
      if (volume.has("configMap"))
        out[mount["mountPath"].text()] = "configMap:" + volume["configMap"]["name"].text();
    }
  return out;
}

/// Whether settings come from where the object does not show them (a ConfigMap, a Secret).
bool is_set_elsewhere(const Tree& container) {
  const auto& env = container["env"].items();
  return !container["envFrom"].items().empty() || std::ranges::any_of(env, [](const Tree& e) {
    const std::string& name = e["name"].text();
    const bool setting =
        name.starts_with("DCGM_") || name.starts_with("KUBERNETES_") || name.starts_with("NVIDIA_RES");
    return setting && e.has("valueFrom");
  });
}

bool may_profile(const Tree& context) {
  const auto added = texts(context["capabilities"]["add"]);
  return context["privileged"].as_bool().value_or(false) || std::ranges::any_of(added, [](const auto& c) {
           return c == "SYS_ADMIN" || c == "CAP_SYS_ADMIN" || c == "ALL";
         });
}

/// A pod stands for the workload that made it.
void name_after_owner(Exporter& exporter) {
  exporter.by_pod = true;
  for (const OwnerReference& owner : exporter.meta.owners)
    if (owner.controller) exporter.kind = owner.kind, exporter.meta.name = owner.name;
}

}  // namespace

bool read_scraping_object(const Tree& object, const std::string& file, Scraping& into) {
  const std::string& kind = object["kind"].text();
  const std::string& version = object["apiVersion"].text();
  const bool of_operator = version.starts_with("monitoring.coreos.com/");
  if (of_operator && (kind == "ServiceMonitor" || kind == "PodMonitor")) {
    into.monitors.push_back(read_monitor(object, file, kind == "PodMonitor"));
  } else if (of_operator && (kind == "Prometheus" || kind == "PrometheusAgent")) {
    into.servers.push_back(read_server(object, file));
  } else if (kind == "Service" && version == "v1") {
    into.services.push_back(read_service(object, file));
  } else {
    return false;
  }
  return true;
}

std::optional<Exporter> read_exporter(const Tree& object, const std::string& file) {
  const std::string& kind = object["kind"].text();
  const bool pod = kind == "Pod";
  const Tree& spec = pod ? object["spec"] : object["spec"]["template"]["spec"];
  const auto& containers = spec["containers"].items();
  const auto at = std::ranges::find_if(containers, runs_dcgm_exporter);
  if (at == containers.end() || is_set_elsewhere(*at)) return {};
  // Each pod mounts its service account: without mounts and variables it was shortened, and tells nothing.
  if (pod && (*at)["volumeMounts"].items().empty() && (*at)["env"].items().empty()) return {};
  Diagnostics ignored;  // of a pod they are told where it is read; a template charges nothing
  Exporter out{.kind = kind, .meta = read_meta(object, file, true)};
  out.pod_labels = pod ? out.meta.labels : read_label_map(object["spec"]["template"]["metadata"]["labels"]);
  out.spec = read_pod_spec(spec, out.pod_labels, {file, kind + " " + out.meta.name, ignored});
  out.container = static_cast<std::size_t>(at - containers.begin());
  out.mounts = read_mounts(*at, spec["volumes"]);
  out.may_profile = may_profile((*at)["securityContext"]);
  if (pod) name_after_owner(out);
  return out;
}

std::optional<CounterList> read_counter_list(const Tree& object, const std::string& file) {
  CounterList out;
  for (const auto& [key, value] : object["data"].members()) {
    std::string_view rest = value.text();
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      if (line.starts_with("DCGM_") && line.contains(','))
        out.counters.emplace_back(line.substr(0, line.find_first_of(", \t")));
    }
  }
  if (out.counters.empty()) return {};
  out.meta = read_meta(object, file, true);
  return out;
}

}  // namespace etiage::formats
