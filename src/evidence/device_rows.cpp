#include "evidence/device_rows.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace etiage::evidence {
namespace {

using formats::Sample;
using Key = std::tuple<std::string, std::string, std::string>;  // cluster, UUID, instance
using Stamps = std::vector<std::int64_t>;

std::string first_label(const Series& s, std::initializer_list<std::string_view> names) {
  for (std::string_view n : names)
    if (s.has(n)) return std::string(s.label(n));
  return "";
}

bool is_device_row(const Series& s) {
  const Role r = s.meaning.role;
  return r == Role::kDeviceRow || busy_signal(r).has_value();
}

PodName plain_pod(const Series& s) {
  return {first_label(s, {"namespace", "pod_namespace"}), first_label(s, {"pod", "pod_name"})};
}

/// Exporters that were scraped without honorLabels write their own pod into the plain labels, also on rows of
/// idle devices, where no exported_pod tells so.
std::set<PodName> exporters(const SeriesStore& store) {
  std::set<PodName> out;
  for (const Series& s : store.all())
    if (is_device_row(s) && s.has("exported_pod")) out.insert(plain_pod(s));
  return out;
}

bool names_exporter(const Series& s) {
  return s.label("container").find("exporter") != std::string_view::npos ||
         s.label("pod").find("dcgm-exporter") != std::string_view::npos;
}

/// Collects what all series of one device say.
struct Gathering {
  DeviceRows rows;
  std::map<PodName, Stamps> named;  // the empty name: rows that name nobody
  std::map<BusySignal, std::vector<Sample>> readings;
};

void note_labels(DeviceRows& rows, const Series& s) {
  if (rows.host.empty()) rows.host = first_label(s, {"Hostname", "hostname"});
  if (rows.node_label.empty())
    rows.node_label = first_label(s, {"node", "kubernetes_node", "k8s_node_name", "exported_node"});
  if (rows.profile.empty()) rows.profile = first_label(s, {"GPU_I_PROFILE", "dra_mig_profile"});
  if (rows.card_model.empty()) rows.card_model = first_label(s, {"modelName", "model_name"});
}

/// Several series may read one device at one stamp: copies for the pods that share it. The device's own
/// reading is the largest of them, since per-process values are parts of it.
void join_readings(std::vector<Sample>& samples) {
  std::ranges::stable_sort(samples, [](const Sample& a, const Sample& b) {
    if (a.ms != b.ms) return a.ms < b.ms;
    if (std::isnan(a.value) != std::isnan(b.value)) return std::isnan(b.value);
    return a.value > b.value;
  });
  const auto twice = std::ranges::unique(samples, {}, &Sample::ms);
  samples.erase(twice.begin(), twice.end());
}

Segments busy_segments(std::vector<Sample> samples, OddValues& odd) {
  join_readings(samples);
  const Duration limit = hold_limit(samples);
  std::erase_if(samples,
                [&](const Sample& s) { return s.value > 1.5 || s.value < 0 ? ++odd.dropped, true : false; });
  for (Sample& s : samples)
    if (s.value > 1) s.value = 1, odd.clamped += 1;
  return held(samples, limit);
}

void sort_unique(Stamps& stamps) {
  std::ranges::sort(stamps);
  stamps.erase(std::unique(stamps.begin(), stamps.end()), stamps.end());
}

Duration limit_of(const Stamps& stamps) {
  std::vector<Sample> samples;
  samples.reserve(stamps.size());
  for (auto ms : stamps) samples.push_back({ms, 1});
  return hold_limit(samples);
}

/// Runs of `mine` in `all` (both sorted, mine within all): broken by a stamp of the device that does not name
/// the pod.
std::vector<Presence> presences(const PodName& pod, const Stamps& mine, const Stamps& all) {
  std::vector<Presence> out;
  const Duration limit = limit_of(mine);
  bool open = false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Instant t = Instant::unix_millis(mine[i]);
    if (!open) out.push_back({pod, t, t, t});
    out.back().last = t;
    const auto next = std::ranges::upper_bound(all, mine[i]);
    open = i + 1 < mine.size() && next != all.end() && *next == mine[i + 1];
    if (open) continue;
    out.back().until = t + limit;
    if (next != all.end()) out.back().until = std::min(out.back().until, Instant::unix_millis(*next));
  }
  return out;
}

DeviceRows finish(Gathering&& g, OddValues& odd) {
  Stamps all;
  for (auto& [pod, stamps] : g.named) {
    sort_unique(stamps);
    all.insert(all.end(), stamps.begin(), stamps.end());
  }
  sort_unique(all);
  DeviceRows rows = std::move(g.rows);
  if (!all.empty()) {
    rows.first = Instant::unix_millis(all.front());
    rows.last = Instant::unix_millis(all.back());
    std::vector<Sample> samples;
    for (auto ms : all) samples.push_back({ms, 1});
    rows.interval = modal_interval(samples);
  }
  for (const auto& [pod, stamps] : g.named) {
    if (pod.second.empty() || stamps.empty()) continue;
    for (auto& p : presences(pod, stamps, all)) rows.presences.push_back(std::move(p));
  }
  for (auto& [signal, samples] : g.readings) {
    auto segments = busy_segments(std::move(samples), odd);
    if (!segments.empty()) rows.signals.emplace(signal, std::move(segments));
  }
  return rows;
}

void gather(Gathering& g, const Series& s, const PodName& pod) {
  note_labels(g.rows, s);
  const auto samples = s.samples();
  Stamps& stamps = g.named[pod];
  for (const Sample& sample : samples)
    if (!formats::is_stale(sample.value)) stamps.push_back(sample.ms);
  if (const auto signal = busy_signal(s.meaning.role)) {
    auto& readings = g.readings[*signal];
    readings.insert(readings.end(), samples.begin(), samples.end());
  }
}

}  // namespace

PodName pod_of(const Series& s) {
  if (s.has("exported_pod"))
    return {first_label(s, {"exported_namespace", "namespace"}), std::string(s.label("exported_pod"))};
  PodName plain = plain_pod(s);
  if (plain.second.empty()) return {};
  return plain;
}

DeviceCatalogue device_catalogue(const SeriesStore& store) {
  DeviceCatalogue out;
  const std::set<PodName> own = exporters(store);
  out.exported_labels = !own.empty();
  std::map<Key, std::vector<const Series*>> by_device;
  for (const Series& s : store.all()) {
    if (!is_device_row(s)) continue;
    const std::string uuid = first_label(s, {"UUID", "uuid", "gpu_uuid"});
    if (!uuid.empty())
      by_device[{std::string(s.label("cluster")), uuid, first_label(s, {"GPU_I_ID"})}].push_back(&s);
  }
  std::set<std::int64_t> seen;
  for (const auto& [key, all] : by_device) {
    Gathering g;
    std::tie(g.rows.cluster, g.rows.uuid, g.rows.instance) = key;
    for (const Series* s : all) {
      const bool exported = s->has("exported_pod");
      const bool exporters_row = !exported && (own.contains(plain_pod(*s)) || names_exporter(*s));
      if (exported || exporters_row) g.rows.exporter = plain_pod(*s);
      gather(g, *s, exporters_row ? PodName{} : pod_of(*s));
    }
    for (const auto& [pod, stamps] : g.named)
      for (auto ms : stamps)
        if (seen.size() < 2) seen.insert(ms);
    out.devices.push_back(finish(std::move(g), out.odd));
  }
  out.stamps = seen.size();
  return out;
}

}  // namespace etiage::evidence
