// Which cluster a series or an object belongs to; unrelated ones are never merged silently (RULES.md 6).

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>

#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

using Names = std::set<std::string, std::less<>>;

/// What tells clusters apart: names of nodes, and of pods with their namespaces.
Names names_in(const Cluster& objects) {
  Names out;
  for (const Node& n : objects.nodes) out.insert("node/" + n.meta.name);
  for (const Pod& p : objects.pods) {
    out.insert("pod/" + p.meta.ns + "/" + p.meta.name);
    out.insert("host/" + p.meta.name);  // exporters may give their pod's name for the host's
    if (!p.spec.node_name.empty()) out.insert("node/" + p.spec.node_name);
  }
  return out;
}

/// The same, as one series after the other names them; what the one before named too is passed over.
class NamesOfSeries {
 public:
  template <class F>
  void each(const Series& s, F&& f) {
    for (std::size_t i = 0; i < kHosts.size(); ++i)
      if (const auto host = s.label(kHosts[i]); !host.empty() && host != last_[i]) {
        f("node/" + std::string(host));
        f("host/" + std::string(host));
        last_[i] = host;
      }
    if (PodName pod = pod_of(s); !pod.second.empty() && pod != last_pod_) {
      f("pod/" + pod.first + "/" + pod.second);
      last_pod_ = std::move(pod);
    }
  }

 private:
  static constexpr std::array<std::string_view, 5> kHosts{"node", "Hostname", "hostname", "kubernetes_node",
                                                          "exported_node"};
  std::array<std::string_view, kHosts.size()> last_;
  PodName last_pod_;
};

/// By the `cluster` label of the series.
std::map<std::string, Names> names_by_label(const SeriesStore& series) {
  struct Seen {
    Names names;
    NamesOfSeries of;
  };
  std::map<std::string, Seen, std::less<>> seen;
  for (const Series& s : series.all()) {
    auto it = seen.find(s.label("cluster"));
    if (it == seen.end()) it = seen.emplace(s.label("cluster"), Seen{}).first;
    it->second.of.each(s, [&](std::string name) { it->second.names.insert(std::move(name)); });
  }
  std::map<std::string, Names> out;
  for (auto& [label, of_label] : seen) out.emplace(label, std::move(of_label.names));
  return out;
}

/// Whether series without a `cluster` label name nodes and pods, and none of these.
bool name_others(const SeriesStore& series, const Names& known) {
  bool named = false, related = false;
  NamesOfSeries names;
  for (const Series& s : series.all()) {
    if (s.has("cluster")) continue;
    names.each(s, [&](const std::string& name) { named = true, related |= known.contains(name); });
    if (related) return false;
  }
  return named;
}

/// The `cluster` labels of all series; an empty one where a series has none.
Names labels_of(const SeriesStore& series) {
  Names out;
  std::optional<std::string_view> last;  // neighbours mostly have the same
  for (const Series& s : series.all())
    if (const auto cluster = s.label("cluster"); cluster != last) out.emplace(cluster), last = cluster;
  return out;
}

std::size_t shared(const Names& a, const Names& b) {
  const Names& small = a.size() < b.size() ? a : b;
  const Names& large = a.size() < b.size() ? b : a;
  return static_cast<std::size_t>(
      std::ranges::count_if(small, [&](const std::string& name) { return large.contains(name); }));
}

/// Union-find over files and labels.
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

bool belongs_to_all(const Cluster& objects) {
  return objects.nodes.empty() && objects.pods.empty();
}

bool names_nodes(const Names& names) {
  const auto it = names.lower_bound("node/");
  return it != names.end() && it->starts_with("node/");
}

/// By name, the uid of each node that has one.
std::map<std::string, std::string> node_uids(const Cluster& objects) {
  std::map<std::string, std::string> out;
  for (const Node& n : objects.nodes)
    if (!n.meta.uid.empty()) out.emplace(n.meta.name, n.meta.uid);
  return out;
}

/// Whether two files show nodes of the same names and none of them is the same node: clusters that name
/// their nodes alike.
bool other_nodes(const std::map<std::string, std::string>& a, const std::map<std::string, std::string>& b) {
  std::size_t same = 0, other = 0;
  for (const auto& [name, uid] : a)
    if (const auto it = b.find(name); it != b.end()) ++(it->second == uid ? same : other);
  return other > 0 && same == 0;
}

/// How many names tie two sources together: those of nodes where both name nodes, since pods of one name are
/// in every cluster; else any. `or_hosts`: what a series calls its host may be its exporter's pod.
std::size_t ties(const Names& a, const Names& b, bool or_hosts) {
  if (!names_nodes(a) || !names_nodes(b)) return shared(a, b);
  return static_cast<std::size_t>(std::ranges::count_if(a, [&](const std::string& name) {
    return (name.starts_with("node/") || (or_hosts && name.starts_with("host/"))) && b.contains(name);
  }));
}

/// A file of objects as far as it tells clusters apart.
struct File {
  std::string path;
  Names names;
  std::map<std::string, std::string> uids;  ///< of nodes
};

/// How well a label's series fit a file: by nodes, then by pods, then by the file's path, which people name
/// after the cluster.
auto fit(const File& file, const std::string& label, const Names& of_label) {
  return std::tuple(ties(file.names, of_label, true), shared(file.names, of_label),
                    !label.empty() && file.path.contains(label));
}

/// Files that share a node are of one cluster (pods of one name are in every cluster, so they tie files
/// together only where one of them names no node), unless all such nodes have different uids; a file is of
/// the cluster whose label's series fit it best.
Groups grouped(const std::vector<File>& files, const std::map<std::string, Names>& labels) {
  Groups groups(files.size() + labels.size());
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!other_nodes(files[i].uids, files[j].uids) && ties(files[i].names, files[j].names, false) > 0)
        groups.join(i, j);
  const auto taken_by_other = [&](std::size_t file, std::size_t label) {
    for (std::size_t j = 0; j < files.size(); ++j)
      if (groups.of(j) == groups.of(files.size() + label) && other_nodes(files[file].uids, files[j].uids))
        return true;
    return false;
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    decltype(fit(files[i], {}, {})) most{};
    std::size_t best = labels.size(), l = 0;
    for (const auto& [label, names] : labels) {
      if (const auto n = fit(files[i], label, names); std::get<0>(n) > 0 && n > most && !taken_by_other(i, l))
        best = l, most = n;
      ++l;
    }
    if (best < labels.size()) groups.join(i, files.size() + best);
  }
  return groups;
}

}  // namespace

std::vector<NamedCluster> group_clusters(std::vector<NamedCluster> files, const SeriesStore& series) {
  std::vector<NamedCluster> placed, everywhere;
  for (NamedCluster& f : files) (belongs_to_all(f.objects) ? everywhere : placed).push_back(std::move(f));
  const bool nothing_to_tell =
      placed.size() < 2 && std::ranges::all_of(labels_of(series), &std::string::empty);
  const auto by_label = nothing_to_tell ? std::map<std::string, Names>{} : names_by_label(series);
  std::vector<File> named;
  for (const NamedCluster& f : placed)
    named.push_back({f.name, nothing_to_tell ? Names{} : names_in(f.objects), node_uids(f.objects)});
  Groups groups = grouped(named, by_label);
  std::map<std::size_t, NamedCluster> out;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    NamedCluster& cluster = out[groups.of(i)];
    if (cluster.name.empty()) cluster.name = placed[i].name;
    merge(cluster.objects, std::move(placed[i].objects));
  }
  if (out.size() == 1 && by_label.size() <= 1) out.begin()->second.name.clear();
  std::size_t at = placed.size();
  for (const auto& [label, of_label] : by_label)
    if (const auto it = out.find(groups.of(at++)); it != out.end() && !label.empty()) it->second.name = label;
  std::vector<NamedCluster> result;
  for (auto& [root, cluster] : out) result.push_back(std::move(cluster));
  if (result.empty() && !everywhere.empty()) result.emplace_back();
  for (NamedCluster& cluster : result)
    for (const NamedCluster& f : everywhere) merge(cluster.objects, f.objects);
  return result;
}

void name_clusters(Draft& draft) {
  Names names = labels_of(draft.sources.series);
  names.erase("");
  for (const NamedCluster& c : draft.sources.clusters)
    if (!c.name.empty()) names.insert(c.name);
  // One name for all: what does not say where it belongs belongs there.
  if (names.size() == 1) draft.cluster_alias[""] = *names.begin();
  if (names.empty() && draft.sources.clusters.size() == 1 &&
      !belongs_to_all(draft.sources.clusters.front().objects) &&
      name_others(draft.sources.series, names_in(draft.sources.clusters.front().objects))) {
    draft.cluster_alias[""] = "(metrics)";
    draft.check({"unrelated-metrics",
                 Severity::kWarning,
                 "the metrics name no node and no pod of the objects",
                 "they are kept apart as a cluster of their own",
                 "give objects and metrics of the same cluster and time",
                 {}});
  }
  if (names.size() > 1)
    draft.check({"several-clusters",
                 Severity::kInfo,
                 std::to_string(names.size()) + " clusters, told apart and not merged",
                 "pods and nodes of the same name in different clusters are different",
                 "",
                 {names.begin(), names.end()}});
}

}  // namespace etiage::evidence
