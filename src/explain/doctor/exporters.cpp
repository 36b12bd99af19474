// DCGM exporter's own settings, and the nodes that it does not run on.

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/ascii.h"
#include "base/counted.h"
#include "engines/placement/kube/node_rules.h"
#include "explain/doctor/scraping.h"

namespace etiage::explain {
namespace {

std::string named(const Exporter& e) {
  return e.kind + " " + e.meta.ns + "/" + e.meta.name;
}

const Container& container(const Exporter& e) {
  return e.spec.containers[e.container];
}

/// A setting by its flag (`--kubernetes`, `-k`, with `=` or the next word) or its variable.
std::optional<std::string> setting(const Exporter& e, std::initializer_list<std::string_view> flags,
                                   std::string_view variable) {
  std::vector<std::string> words = container(e).command;
  words.insert(words.end(), container(e).args.begin(), container(e).args.end());
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::string_view flag : flags) {
      if (words[i].starts_with(std::string(flag) + "=")) return words[i].substr(flag.size() + 1);
      if (words[i] != flag) continue;
      const bool last = i + 1 == words.size() || words[i + 1].starts_with('-');
      return last ? "true" : words[i + 1];
    }
  for (const auto& [name, value] : container(e).env)
    if (name == variable) return value;
  return {};
}

bool is_on(const std::optional<std::string>& value) {
  return value && (same_word(*value, "true") || *value == "1");
}

std::string set_env(const Exporter& e, std::string_view variable, std::string_view value) {
  return fmt::format("kubectl -n {} set env {}/{} {}={}  # Helm: extraEnv", e.meta.ns, lower_case(e.kind),
                     e.meta.name, variable, value);
}

void add(std::vector<Check>& out, const Exporter& e, std::string id, Severity severity,
         const std::string& message, std::string effect, std::string fix) {
  out.push_back(
      {std::move(id), severity, named(e) + ": " + message, std::move(effect), std::move(fix), {named(e)}});
}

// Whom the rows name.

void check_kubernetes(const Exporter& e, std::vector<Check>& out) {
  constexpr std::string_view kSocket = "/var/lib/kubelet/pod-resources";
  if (!is_on(setting(e, {"--kubernetes", "-k"}, "DCGM_EXPORTER_KUBERNETES")))
    return add(out, e, "exporter-kubernetes-off", Severity::kWarning, "DCGM_EXPORTER_KUBERNETES is not true",
               "rows name no pod: who holds which device is taken from requests, and what they hold is "
               "`unmeasured`",
               set_env(e, "DCGM_EXPORTER_KUBERNETES", "true"));
  const bool mounted =
      std::ranges::any_of(e.mounts, [&](const auto& m) { return kSocket.starts_with(m.first); });
  if (!mounted)
    add(out, e, "exporter-pod-resources", Severity::kWarning, "/var/lib/kubelet/pod-resources is not mounted",
        "the exporter cannot ask the kubelet who is on a device: rows name no pod",
        "volumes: [{name: pod-resources, hostPath: {path: /var/lib/kubelet/pod-resources}}], volumeMounts: "
        "[{name: pod-resources, mountPath: /var/lib/kubelet/pod-resources, readOnly: true}]");
}

bool shares_in_time(const Node& node) {
  const auto replicas = node.meta.labels.find("nvidia.com/gpu.replicas");
  return node.allocatable.contains("nvidia.com/gpu.shared") ||
         (replicas != node.meta.labels.end() && !replicas->second.empty() && replicas->second != "0" &&
          replicas->second != "1");
}

void check_sharing(const Exporter& e, const Cluster& objects, std::vector<Check>& out) {
  if (is_on(setting(e, {"--kubernetes-virtual-gpus"}, "KUBERNETES_VIRTUAL_GPUS"))) return;
  const auto shared = std::ranges::count_if(objects.nodes, shares_in_time);
  if (shared > 0)
    add(out, e, "exporter-virtual-gpus", Severity::kWarning,
        counted(static_cast<std::size_t>(shared), "node shares", "nodes share") +
            " cards in time, and KUBERNETES_VIRTUAL_GPUS is not true",
        "a row names one of the pods on a card; the others are `unmeasured`",
        set_env(e, "KUBERNETES_VIRTUAL_GPUS", "true"));
}

void check_claims(const Exporter& e, const Cluster& objects, std::vector<Check>& out) {
  const bool claimed = std::ranges::any_of(
      objects.dra.slices, [](const ResourceSlice& s) { return s.driver == "gpu.nvidia.com"; });
  if (claimed && !is_on(setting(e, {"--kubernetes-enable-dra"}, "KUBERNETES_ENABLE_DRA")))
    add(out, e, "exporter-dra", Severity::kWarning,
        "a driver publishes NVIDIA's devices, and KUBERNETES_ENABLE_DRA "
        "is not true",
        "rows name no pod that holds its devices by a ResourceClaim: its work is `unmeasured`",
        set_env(e, "KUBERNETES_ENABLE_DRA", "true") +
            "; its ClusterRole needs get, list, watch on resourceslices");
}

/// Whether the exporter knows the resource without being told: nvidia.com/gpu and MIG's; HAMi's amounts are
/// none of the kubelet's devices.
bool is_known(std::string_view resource) {
  return resource == "nvidia.com/gpu" || resource.starts_with("nvidia.com/mig-") ||
         resource.starts_with("nvidia.com/gpumem") || resource.starts_with("nvidia.com/gpucores");
}

void check_resources(const Exporter& e, const Cluster& objects, std::vector<Check>& out) {
  const std::string told = setting(e, {"--nvidia-resource-names"}, "NVIDIA_RESOURCE_NAMES").value_or("");
  std::set<std::string> names;
  for (const Node& node : objects.nodes)
    for (const auto& [resource, amount] : node.allocatable)
      if (resource.starts_with("nvidia.com/") && amount.as_double() > 0 && !is_known(resource) &&
          !told.contains(resource))
        names.insert(resource);
  if (names.empty()) return;
  std::string all = told.empty() ? "nvidia.com/gpu" : told;
  for (const std::string& name : names) all += "," + name;
  add(out, e, "exporter-resource-names", Severity::kWarning,
      fmt::format("nodes hand out {}, and NVIDIA_RESOURCE_NAMES does not name it", fmt::join(names, ", ")),
      "rows name no pod that holds such devices", set_env(e, "NVIDIA_RESOURCE_NAMES", all));
}

void check_gke(const Exporter& e, const Cluster& objects, std::vector<Check>& out) {
  const bool gke = std::ranges::any_of(objects.nodes, [](const Node& n) {
    return n.meta.labels.contains("cloud.google.com/gke-accelerator");
  });
  const auto type = setting(e, {"--kubernetes-gpu-id-type"}, "DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE");
  if (gke && type != "device-name")
    add(out, e, "exporter-gpu-id-type", Severity::kWarning,
        "GKE names devices nvidia0, ..., and DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE is not device-name",
        "rows name no pod", set_env(e, "DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE", "device-name"));
}

// What is measured.

constexpr std::string_view kSmLine =
    "DCGM_FI_PROF_SM_ACTIVE, gauge, The ratio of cycles an SM has at least 1 warp assigned.";
constexpr std::string_view kGrLine =
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE, gauge, Ratio of time the graphics engine is active.";

/// What the images' own files export of what tells how busy a card is.
const std::vector<std::string>& stock_counters() {
  static const std::vector<std::string> stock{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL"};
  return stock;
}

/// The name of the ConfigMap that the counters come from, with its namespace; empty: the image's own file.
std::pair<std::string, std::string> counters_from(const Exporter& e) {
  const auto data = setting(e, {"--configmap-data", "-m"}, "DCGM_EXPORTER_CONFIGMAP_DATA");
  if (data && data->contains(':'))
    return {data->substr(0, data->find(':')), data->substr(data->find(':') + 1)};
  const auto file = setting(e, {"--collectors", "-f"}, "DCGM_EXPORTER_COLLECTORS");
  for (const auto& [path, source] : e.mounts)
    if (file && source.starts_with("configMap:") &&
        (*file == path || file->starts_with(path.ends_with('/') ? path : path + "/")))
      return {e.meta.ns, source.substr(std::string_view("configMap:").size())};
  return {};
}

/// Nothing: the ConfigMap is not among the objects.
const std::vector<std::string>* counters_of(const Exporter& e, const Cluster& objects) {
  const auto from = counters_from(e);
  if (from.second.empty()) return &stock_counters();
  for (const CounterList& list : objects.scraping.counter_lists)
    if (list.meta.ns == from.first && list.meta.name == from.second) return &list.counters;
  return nullptr;
}

void check_counters(const Exporter& e, const Cluster& objects, std::vector<Check>& out) {
  const auto* counters = counters_of(e, objects);
  if (counters == nullptr) return;
  const auto lacks = [&](std::string_view name) {
    return std::ranges::find(*counters, name) == counters->end();
  };
  std::vector<std::string_view> names, lines;
  if (lacks("DCGM_FI_PROF_SM_ACTIVE")) names.push_back("DCGM_FI_PROF_SM_ACTIVE"), lines.push_back(kSmLine);
  if (lacks("DCGM_FI_PROF_GR_ENGINE_ACTIVE"))
    names.push_back("DCGM_FI_PROF_GR_ENGINE_ACTIVE"), lines.push_back(kGrLine);
  if (names.empty()) return;
  const auto from = counters_from(e);
  const bool stock = from.second.empty();
  add(out, e, "exporter-counters", Severity::kWarning,
      fmt::format("{} not among its counters ({})", fmt::join(names, " and "),
                  stock ? "the image's own list" : "ConfigMap " + from.first + "/" + from.second),
      names.size() == 1 ? "busy is an upper bound: GR_ENGINE_ACTIVE says that something ran"
                        : "busy is taken from GPU_UTIL, and of MIG instances not known at all",
      fmt::format("add `{}` to {}", fmt::join(lines, "` and `"),
                  stock ? "a copy of the list (Helm: customMetrics; GPU Operator: dcgmExporter.config.name)"
                        : fmt::format("it: kubectl -n {} edit configmap {}", from.first, from.second)));
}

void check_profiling(const Exporter& e, std::vector<Check>& out) {
  if (e.may_profile || setting(e, {"--remote-hostengine-info", "-r"}, "DCGM_REMOTE_HOSTENGINE_INFO")) return;
  add(out, e, "exporter-capability", Severity::kWarning, "the capability SYS_ADMIN is missing",
      "no DCGM_FI_PROF_*: busy is taken from GPU_UTIL",
      "securityContext: {capabilities: {add: [SYS_ADMIN]}} on its container");
}

void check_interval(const Exporter& e, std::vector<Check>& out) {
  const auto text = setting(e, {"--collect-interval", "-c"}, "DCGM_EXPORTER_INTERVAL");
  int ms = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), ms).ec != std::errc{}) return;
  if (ms > 60'000)
    add(out, e, "exporter-interval", Severity::kInfo,
        "it collects only every " + to_string(Duration::seconds(ms / 1000)),
        "scrapes in between repeat the same value; peaks are not seen",
        set_env(e, "DCGM_EXPORTER_INTERVAL", "15000"));
}

void check_levels(const Exporter& e, std::vector<Check>& out) {
  const std::string devices = setting(e, {"--devices", "-d"}, "DCGM_EXPORTER_DEVICES_STR").value_or("f");
  if (devices.contains('g') && devices.contains('i'))
    add(out, e, "exporter-devices", Severity::kInfo,
        "rows of cards and of their MIG instances (" + devices + ")",
        "only the instances count here; sums in PromQL count the card twice",
        set_env(e, "DCGM_EXPORTER_DEVICES_STR", "f"));
}

// Where it runs.

bool has_cards(const Node& node) {
  return std::ranges::any_of(node.allocatable, [](const auto& r) {
    return r.first.starts_with("nvidia.com/") && r.second.as_double() > 0;
  });
}

/// Taints that the DaemonSet controller tolerates for every pod of it are no obstacle.
Node as_daemons_see(Node node) {
  std::erase_if(node.taints, [](const Taint& t) { return t.key.starts_with("node.kubernetes.io/"); });
  return node;
}

bool runs_on(const Exporter& e, const Node& node) {
  const Node seen = as_daemons_see(node);
  return placement::matches_required(e.spec, seen) && placement::tolerates_scheduling(e.spec, seen);
}

void check_nodes(const Cluster& objects, std::vector<Check>& out) {
  const auto& exporters = objects.scraping.exporters;
  std::vector<const Exporter*> daemons;
  for (const Exporter& e : exporters)
    if (e.kind == "DaemonSet" && !e.by_pod) daemons.push_back(&e);
  if (daemons.empty()) return;
  std::vector<std::string> missed;
  std::set<std::string> taints;
  for (const Node& node : objects.nodes) {
    if (!has_cards(node) || std::ranges::any_of(daemons, [&](auto* e) { return runs_on(*e, node); }))
      continue;
    missed.push_back(node.meta.name);
    for (const Taint& t : as_daemons_see(node).taints)
      if (t.effect != TaintEffect::kPreferNoSchedule &&
          !placement::tolerates(daemons.front()->spec.tolerations, t))
        taints.insert(t.key);
  }
  if (missed.empty()) return;
  std::string fix;
  for (const std::string& key : taints)
    fix += (fix.empty() ? "tolerations: [" : ", ") + fmt::format("{{key: {}, operator: Exists}}", key);
  fix = fix.empty() ? "label the nodes as its nodeSelector asks, or widen that" : fix + "]";
  out.push_back({"exporter-misses-nodes", Severity::kWarning,
                 fmt::format("{} does not run on {} with NVIDIA's devices", named(*daemons.front()),
                             counted(missed.size(), "node")),
                 "what is held there is `unmeasured`",
                 fix + fmt::format("  # kubectl -n {} edit daemonset {}", daemons.front()->meta.ns,
                                   daemons.front()->meta.name),
                 std::move(missed)});
}

}  // namespace

std::vector<Check> exporter_checks(const Cluster& objects) {
  std::vector<Check> out;
  const auto& exporters = objects.scraping.exporters;
  for (const Exporter& e : exporters) {
    const bool told_by_workload =
        e.by_pod && std::ranges::any_of(exporters, [&](const Exporter& o) {
          return !o.by_pod && o.kind == e.kind && o.meta.ns == e.meta.ns && o.meta.name == e.meta.name;
        });
    if (told_by_workload) continue;
    check_kubernetes(e, out);
    check_sharing(e, objects, out);
    check_claims(e, objects, out);
    check_resources(e, objects, out);
    check_gke(e, objects, out);
    check_counters(e, objects, out);
    check_profiling(e, out);
    check_interval(e, out);
    check_levels(e, out);
  }
  check_nodes(objects, out);
  return out;
}

}  // namespace etiage::explain
