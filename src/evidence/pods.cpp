// The lives of pods: from objects, else from kube-state-metrics, else from device rows alone (RULES.md 5, 7,
// 10).

#include <algorithm>
#include <charconv>
#include <set>

#include "evidence/accelerators.h"
#include "evidence/draft.h"
#include "evidence/kube_pods.h"
#include "evidence/owners.h"

namespace etiage::evidence {
namespace {

std::string label(const LabelMap& labels, std::string_view key) {
  const auto it = labels.find(key);
  return it == labels.end() ? "" : it->second;
}

/// Sorted, disjoint, inside `life`.
std::vector<Window> tidy(std::vector<Window> spans, Window life) {
  std::ranges::sort(spans, {}, &Window::start);
  std::vector<Window> out;
  for (Window w : spans) {
    w = overlap(w, life);
    if (w.empty()) continue;
    if (!out.empty() && w.start <= out.back().end) {
      out.back().end = std::max(out.back().end, w.end);
    } else {
      out.push_back(w);
    }
  }
  return out;
}

const Condition* condition(const PodStatus& status, std::string_view type) {
  for (const Condition& c : status.conditions)
    if (c.type == type) return &c;
  return nullptr;
}

std::optional<Instant> placed_at(const Pod& pod) {
  if (const Condition* c = condition(pod.status, "PodScheduled"); c && c->status == "True" && c->since)
    return c->since;
  return pod.status.start_time ? pod.status.start_time : pod.meta.created;
}

bool is_terminal(const Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

/// When a terminal pod finished: its last container's end, else when it stopped being ready.
std::optional<Instant> finished_at(const Pod& pod) {
  std::optional<Instant> last;
  for (const ContainerStatus& c : pod.status.containers)
    if (c.current.finished) last = std::max(last.value_or(*c.current.finished), *c.current.finished);
  if (last) return last;
  for (std::string_view type : {"ContainersReady", "Ready"})
    if (const Condition* c = condition(pod.status, type); c && c->status == "False" && c->since)
      return c->since;
  return pod.meta.deleted;
}

/// What the object alone says of readiness; kube-state-metrics wins where it speaks.
std::vector<Window> starting_by_object(const Pod& pod, Window life, bool& known) {
  const Condition* ready = condition(pod.status, "Ready");
  if (!ready || !ready->since || is_terminal(pod)) return {};
  known = true;
  std::optional<Instant>
      down;  // when the run that led here began: the pod's own start, or the end of the run before
  for (const ContainerStatus& c : pod.status.containers)
    if (c.restart_count > 0 && c.last.finished)
      down = std::max(down.value_or(*c.last.finished), *c.last.finished);
  if (ready->status == "True")
    return *ready->since > down.value_or(life.start)
               ? std::vector{Window{down.value_or(life.start), *ready->since}}
               : std::vector<Window>{};
  // Not Ready now: never was since that start, unless the condition fell later, which without a restart is no
  // start.
  std::optional<Instant> began;
  for (const ContainerStatus& c : pod.status.containers)
    if (c.current.started) began = std::max(began.value_or(*c.current.started), *c.current.started);
  if (down) return {{*down, life.end}};
  if (!began || *ready->since <= *began) return {{life.start, life.end}};
  return {};
}

/// What shows a pod's demand where it asks for devices of several kinds.
DeviceDemand largest(const std::vector<DeviceDemand>& demands) {
  const auto most = std::ranges::max_element(demands, {}, &DeviceDemand::count);
  return most == demands.end() ? DeviceDemand{} : *most;
}

DeviceDemand shown_demand(const PodDraft& draft) {
  if (!draft.demands.empty()) return largest(draft.demands);
  return draft.parts.empty()
             ? DeviceDemand{}
             : DeviceDemand{"part of a card", "", static_cast<std::int64_t>(draft.parts.size())};
}

ResourceList device_list(const std::map<std::string, double>& kube) {
  ResourceList out;
  for (const auto& [name, amount] : kube)
    out[resource_of(name)] += Quantity::units(static_cast<std::int64_t>(amount));
  return out;
}

/// Teams of namespaces, by cluster and namespace.
class Teams {
 public:
  explicit Teams(const Draft& draft) : keys_(draft.request.team_keys) {
    for (const NamedCluster& c : draft.sources.clusters)
      for (const ObjectMeta& ns : c.objects.namespaces)
        of_namespace_[{draft.cluster_of(c.name), ns.name}] = first(ns.labels);
    for (const Series& s : draft.sources.series.all())
      if (s.meaning.role == Role::kNamespaceLabels) add_series(draft.cluster_of(s.label("cluster")), s);
  }

  std::string of(const PodLife& pod) const {
    if (std::string own = first(pod.labels); !own.empty()) return own;
    const auto it = of_namespace_.find({pod.cluster, pod.ns});
    return it == of_namespace_.end() ? "" : it->second;
  }

 private:
  std::string first(const LabelMap& labels) const {
    for (const std::string& key : keys_)
      if (std::string value = label(labels, key); !value.empty()) return value;
    return "";
  }
  void add_series(const std::string& cluster, const Series& s) {
    for (std::string key : keys_) {
      for (char& c : key)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      const std::string ns(s.has("exported_namespace") ? s.label("exported_namespace")
                                                       : s.label("namespace"));
      if (std::string value(s.label("label_" + key)); !value.empty())
        of_namespace_.try_emplace({cluster, ns}, value);
    }
  }

  const std::vector<std::string>& keys_;
  std::map<std::pair<std::string, std::string>, std::string> of_namespace_;
};

/// A node that only its pods name exists from the first to the last of them.
NodeId node_of(Draft& draft, const std::string& cluster, const std::string& name, Window life) {
  if (name.empty()) return {};
  if (const NodeId known = draft.node_named(cluster, name); known.valid()) return known;
  const NodeId id{static_cast<std::uint32_t>(draft.out.nodes.size())};
  NodeLife node;
  node.cluster = cluster;
  node.name = name;
  node.life = overlap(life, draft.out.window);
  draft.nodes.emplace(std::pair{cluster, name}, id);
  draft.out.nodes.push_back(std::move(node));
  return id;
}

PodLife from_object(Draft& draft, const Pod& pod, const std::string& cluster, const Owners& owners) {
  PodLife out;
  out.cluster = cluster;
  out.ns = pod.meta.ns;
  out.name = pod.meta.name;
  out.uid = pod.meta.uid;
  out.labels = pod.meta.labels;
  const Workload workload = owners.of(pod.meta);
  out.workload_kind = workload.kind;
  out.workload = workload.name;
  const Window window = draft.out.window;
  out.life = {placed_at(pod).value_or(window.start), window.empty() ? Instant::max() : window.end};
  if (is_terminal(pod)) out.life.end = finished_at(pod).value_or(out.life.start);
  out.node = node_of(draft, cluster, pod.spec.node_name, out.life);
  const ResourceList requests = sane_amounts(effective_requests(pod.spec));
  if (const auto cpu = requests.find("cpu"); cpu != requests.end()) out.cores = cpu->second.as_double();
  if (const auto memory = requests.find("memory"); memory != requests.end())
    out.memory = Bytes{memory->second.value()};
  out.tolerations = pod.spec.tolerations;
  out.leader = leads_group(out.labels);
  return out;
}

std::optional<double> mps_limit(const Pod& pod) {
  for (const Container& c : pod.spec.containers)
    for (const auto& [name, value] : c.env) {
      double percent = 0;
      if (name != "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE") continue;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), percent);
      if (error == std::errc{} && end == value.data() + value.size() && percent > 0 && percent <= 100)
        return percent / 100;
    }
  return {};
}

PodDraft draft_of(const Pod& pod, const PodLife& life) {
  PodDraft out{.begun = {life.life.start},
               .declared_model = trains(life.workload_kind) ? "" : declared_model(pod),
               .decodes = declares_decode(pod),
               .replica_group = replica_group(pod.meta.labels),
               .mps_limit = mps_limit(pod),
               .demands = device_demands(effective_requests(pod.spec)),
               .parts = runai_parts(pod),
               .card_group = label(pod.meta.labels, "runai-gpu-group"),
               .reserves = reserves_card(pod)};
  if (out.parts.empty()) out.parts = hami_parts(pod);
  for (const ContainerStatus& c : pod.status.containers)
    for (const auto& run : {c.current, c.last})
      if (run.started) out.begun.push_back(*run.started);
  return out;
}

void add_readiness(PodLife& pod, const Pod* object, const KubePod* kube) {
  std::vector<Window> spans;
  if (kube && (!kube->ready.empty() || kube->deleted)) spans = kube->starting(pod.life);
  if (kube && !kube->ready.empty())
    pod.readiness_known = true;
  else if (object) {
    const auto more = starting_by_object(*object, pod.life, pod.readiness_known);
    spans.insert(spans.end(), more.begin(), more.end());
  }
  if (object && object->meta.deleted && !is_terminal(*object))
    spans.push_back({*object->meta.deleted, pod.life.end});
  pod.starting = tidy(std::move(spans), pod.life);
}

PodLife from_kube(Draft& draft, const KubePod& kube, const Owners& owners) {
  PodLife out;
  out.cluster = kube.cluster;
  out.ns = kube.ns;
  out.name = kube.name;
  out.uid = kube.uid;
  out.source = PodSource::kKubeStateMetrics;
  const Workload workload = kube.owner_kind.empty() || kube.owner_kind == "Node"
                                ? Workload{"Pod", kube.name}
                                : owners.above(kube.ns, {kube.owner_kind, kube.owner_name});
  out.workload_kind = workload.kind;
  out.workload = workload.name;
  out.life = kube.life();
  out.node = node_of(draft, kube.cluster, kube.node, out.life);
  out.cores = kube.cores;
  out.memory = Bytes{static_cast<std::int64_t>(std::clamp(kube.memory_bytes, 0.0, 1e18))};
  out.labels = kube.labels;
  out.leader = leads_group(out.labels);
  return out;
}

/// kube-state-metrics' pod for an object: the same uid, else the same name at an overlapping time.
const KubePod* match(const std::vector<KubePod>& kube, const std::multimap<PodKey, std::size_t>& by_name,
                     const PodLife& pod) {
  const auto [from, to] = by_name.equal_range({pod.cluster, pod.ns, pod.name});
  const KubePod* by_time = nullptr;
  for (auto it = from; it != to; ++it) {
    const KubePod& k = kube[it->second];
    if (!pod.uid.empty() && k.uid == pod.uid) return &k;
    if ((pod.uid.empty() || k.uid.empty()) && !overlap(k.life(), pod.life).empty()) by_time = &k;
  }
  return by_time;
}

void add_object_pods(Draft& draft, const std::vector<KubePod>& kube,
                     const std::multimap<PodKey, std::size_t>& by_name, std::set<const KubePod*>& used) {
  for (const NamedCluster& c : draft.sources.clusters) {
    const Owners owners(c.objects);
    const std::string cluster = draft.cluster_of(c.name);
    for (const Pod& object : c.objects.pods) {
      PodLife pod = from_object(draft, object, cluster, owners);
      const KubePod* k = match(kube, by_name, pod);
      if (k) used.insert(k);
      add_readiness(pod, &object, k);
      PodDraft more = draft_of(object, pod);
      pod.devices = shown_demand(more);
      if (k && k->created) more.begun.push_back(*k->created);
      draft.add_pod(std::move(pod), std::move(more));
    }
  }
}

Owners owners_of(const Draft& draft, const std::string& cluster) {
  for (const NamedCluster& c : draft.sources.clusters)
    if (draft.cluster_of(c.name) == cluster) return Owners(c.objects);
  return Owners(Cluster{});
}

void add_kube_pods(Draft& draft, const std::vector<KubePod>& kube, const std::set<const KubePod*>& used) {
  std::map<std::string, Owners> owners;
  for (const KubePod& k : kube) {
    if (used.contains(&k) || !k.complete() || k.life().empty()) continue;
    auto it = owners.find(k.cluster);
    if (it == owners.end()) it = owners.emplace(k.cluster, owners_of(draft, k.cluster)).first;
    PodLife pod = from_kube(draft, k, it->second);
    add_readiness(pod, nullptr, &k);
    const ResourceList devices = device_list(k.devices);
    PodDraft more{.begun = {pod.life.start},
                  .declared_model = trains(pod.workload_kind) ? "" : declared_model(k.labels),
                  .decodes = declares_decode(k.labels),
                  .replica_group = replica_group(k.labels),
                  .demands = device_demands(devices),
                  .parts = hami_parts(devices)};
    pod.devices = shown_demand(more);
    draft.add_pod(std::move(pod), std::move(more));
  }
}

/// Presences of a pod that no known life of that name explains. A row lingers up to the hold limit after its
/// pod.
bool explained(const Draft& draft, const PodKey& key, const Presence& p) {
  const auto [from, to] = draft.lives.equal_range(key);
  for (auto it = from; it != to; ++it) {
    const Window life = draft.out.pods[it->second.index()].life;
    if (p.first < life.end + Duration::seconds(300) && life.start <= p.last) return true;
  }
  return false;
}

void add_row_pods(Draft& draft) {
  struct Seen {
    Window life;
    const DeviceRows* device;
  };
  std::map<PodKey, Seen> found;
  for (const DeviceRows& d : draft.catalogue.devices)
    for (const Presence& p : d.presences) {
      const PodKey key{draft.cluster_of(d.cluster), p.pod.first, p.pod.second};
      if (explained(draft, key, p)) continue;
      auto [it, added] = found.try_emplace(key, Seen{{p.first, p.until}, &d});
      it->second.life.start = std::min(it->second.life.start, p.first);
      it->second.life.end = std::max(it->second.life.end, p.until);
    }
  for (const auto& [key, seen] : found) {
    PodLife pod;
    std::tie(pod.cluster, pod.ns, pod.name) = key;
    pod.workload_kind = "Pod";
    pod.workload = pod.name;
    pod.life = seen.life;
    pod.source = PodSource::kDeviceRows;
    draft.add_pod(std::move(pod), {});
  }
}

/// What the workers of a replica serve is what their leader serves.
void share_declared_models(Draft& draft) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> of_group;
  for (std::size_t i = 0; i < draft.pods.size(); ++i) {
    const PodDraft& more = draft.pods[i];
    if (!more.replica_group.empty() && !more.declared_model.empty() && draft.out.pods[i].leader)
      of_group[{draft.out.pods[i].cluster, draft.out.pods[i].ns, more.replica_group}] = more.declared_model;
  }
  for (std::size_t i = 0; i < draft.pods.size(); ++i)
    if (const auto it =
            of_group.find({draft.out.pods[i].cluster, draft.out.pods[i].ns, draft.pods[i].replica_group});
        it != of_group.end())
      draft.pods[i].declared_model = it->second;
}

}  // namespace

void add_pods(Draft& draft) {
  const auto kube = kube_pods(draft.sources.series, draft.cluster_alias);
  std::multimap<PodKey, std::size_t> by_name;
  for (std::size_t i = 0; i < kube.size(); ++i)
    by_name.emplace(PodKey{kube[i].cluster, kube[i].ns, kube[i].name}, i);
  std::set<const KubePod*> used;
  add_object_pods(draft, kube, by_name, used);
  add_kube_pods(draft, kube, used);
  add_row_pods(draft);
  add_lone_engines(draft);
  const Teams teams(draft);
  for (PodLife& pod : draft.out.pods) pod.team = teams.of(pod);
  share_declared_models(draft);
}

}  // namespace etiage::evidence
