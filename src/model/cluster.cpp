#include "model/cluster.h"

#include <unordered_map>
#include <utility>

namespace etiage {
namespace {

std::string identity(const ObjectMeta& meta) {
  return meta.ns + '\0' + meta.name + '\0' + meta.uid;
}

/// Where each object of one kind lies in its table; `key_of` names an object's identity.
template <class T, class Key>
class Table {
 public:
  Table(std::vector<T>& rows, Key key_of) : rows_(rows), key_of_(key_of) {
    for (std::size_t i = 0; i < rows.size(); ++i) at_.emplace(key_of(rows[i]), i);
  }
  /// Whether it was there before; then the row takes its place.
  bool put(T row) {
    const auto [it, added] = at_.try_emplace(key_of_(row), rows_.size());
    if (added) {
      rows_.push_back(std::move(row));
    } else {
      rows_[it->second] = std::move(row);
    }
    return !added;
  }

 private:
  std::vector<T>& rows_;
  Key key_of_;
  std::unordered_map<std::string, std::size_t> at_;
};

/// Puts every row of `from`; returns how many took the place of another.
template <class T, class Key>
std::size_t put_all(std::vector<T>& rows, std::vector<T> from, Key key_of) {
  Table table(rows, key_of);
  std::size_t again = 0;
  for (T& row : from) again += table.put(std::move(row)) ? 1 : 0;
  return again;
}

}  // namespace

std::size_t merge(Cluster& into, Cluster from) {
  std::size_t again =
      put_all(into.nodes, std::move(from.nodes), [](const Node& n) { return identity(n.meta); });
  again += put_all(into.pods, std::move(from.pods), [](const Pod& p) { return identity(p.meta); });
  again +=
      put_all(into.namespaces, std::move(from.namespaces), [](const ObjectMeta& m) { return identity(m); });
  again += put_all(into.owners, std::move(from.owners),
                   [](const Owner& o) { return o.kind + '\0' + identity(o.meta); });
  again += put_all(into.autoscalers, std::move(from.autoscalers),
                   [](const Autoscaler& a) { return a.kind + '\0' + identity(a.meta); });
  again += put_all(into.promql, std::move(from.promql),
                   [](const PromqlUse& p) { return p.owner + '\0' + p.name + '\0' + p.expr; });
  const auto of_meta = [](const auto& object) { return identity(object.meta); };
  again += put_all(into.dra.slices, std::move(from.dra.slices), of_meta);
  again += put_all(into.dra.claims, std::move(from.dra.claims), of_meta);
  again += put_all(into.dra.classes, std::move(from.dra.classes), of_meta);
  again += put_all(into.dra.templates, std::move(from.dra.templates), of_meta);
  again += put_all(into.dra.taint_rules, std::move(from.dra.taint_rules), of_meta);
  again += put_all(into.scraping.monitors, std::move(from.scraping.monitors),
                   [](const ScrapeMonitor& m) { return m.kind + '\0' + identity(m.meta); });
  again += put_all(into.scraping.servers, std::move(from.scraping.servers), of_meta);
  again += put_all(into.scraping.services, std::move(from.scraping.services), of_meta);
  again += put_all(into.scraping.counter_lists, std::move(from.scraping.counter_lists), of_meta);
  // Every pod of a workload tells the same of its exporter, and was counted as a pod.
  put_all(into.scraping.exporters, std::move(from.scraping.exporters), [](const Exporter& e) {
    return (e.by_pod ? "pod of " : "") + e.kind + '\0' + e.meta.ns + '\0' + e.meta.name;
  });
  for (const auto& [kind, count] : from.other_kinds) into.other_kinds[kind] += count;
  return again;
}

}  // namespace etiage
