#include "evidence/device_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/ascii.h"
#include "base/parallel.h"

namespace etiage::evidence {
namespace {

using formats::Sample;
using Key = std::tuple<std::string, std::string, std::string>;  // cluster, UUID, instance
using Stamps = std::vector<std::int64_t>;

std::string first_label(const Series& s, std::initializer_list<std::string_view> names) {
  for (std::string_view n : names)
    if (const auto value = s.label(n); !value.empty()) return std::string(value);
  return "";
}

bool is_device_row(const Series& s) {
  return of_device(s.meaning.role);
}

std::string node_label(const Series& s) {
  return first_label(s, {"node", "kubernetes_node", "k8s_node_name", "exported_node", "node_name"});
}

std::string host_label(const Series& s) {
  return first_label(s, {"Hostname", "hostname"});
}

PodName plain_pod(const Series& s) {
  if (s.has("kube_pod")) return {std::string(s.label("kube_namespace")), std::string(s.label("kube_pod"))};
  return {first_label(s, {"namespace", "pod_namespace", "namespace_name"}),
          first_label(s, {"pod", "pod_name"})};
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

constexpr std::string_view kAmd = "AMD device metrics exporter", kAmdMode = "gpu_compute_partition_type";

/// Of a card that AMD cuts into several devices (`cpx`): `spx` is the whole one.
bool is_partition(const Series& s) {
  const std::string_view mode = s.label(kAmdMode);
  return s.meaning.dialect == kAmd && !mode.empty() && !same_word(mode, "spx");
}

/// Collects what all series of one device say.
struct Gathering {
  /// When rows named one pod.
  struct Named {
    Stamps stamps;                    // sorted
    const Series* counted = nullptr;  // the last series whose stamps are among them
  };
  DeviceRows rows;
  std::map<PodName, Named> named;  // the empty name: rows that name nobody
  std::map<Role, Sample>
      memory;  // the newest; of several at one stamp the largest, which is the device's own
};

void note_labels(DeviceRows& rows, const Series& s) {
  if (rows.host.empty()) rows.host = host_label(s);
  if (rows.node_label.empty()) rows.node_label = node_label(s);
  if (rows.profile.empty()) rows.profile = first_label(s, {"GPU_I_PROFILE", "dra_mig_profile"});
  if (rows.profile.empty() && is_partition(s)) rows.profile = lower_case(s.label(kAmdMode));
  if (rows.card_model.empty())
    rows.card_model = first_label(s, {"modelName", "model_name", "card_series", "dev_name", "name", "model"});
  if (rows.exporter_dialect.empty()) rows.exporter_dialect = s.meaning.dialect;
}

/// As NVIDIA writes them: some exporters leave its prefix out.
std::string device_uuid(const Series& s) {
  // The parts of an AMD card have uuids of their own, and the serial number of their card.
  if (is_partition(s) && s.has("serial_number")) return std::string(s.label("serial_number"));
  std::string uuid = first_label(s, {"UUID", "uuid", "gpu_uuid", "accelerator_id"});
  const bool bare = uuid.size() == 36 && uuid[8] == '-' && s.meaning.dialect == "nvidia-smi";
  if (bare) uuid.insert(0, "GPU-");
  if (!uuid.empty() || s.meaning.dialect != kAmd || !s.has("gpu_id")) return uuid;
  const std::string serial = first_label(s, {"serial_number"});
  return serial.empty() ? first_label(s, {"hostname", "instance"}) + "/" + std::string(s.label("gpu_id"))
                        : serial;
}

/// Where several exporters show one device, the first of these speaks: their stamps and labels do not mix.
int preference(const Series& s) {
  constexpr std::array<std::string_view, 4> kBestFirst{"DCGM", kAmd, "nvidia-smi", "Triton"};
  return static_cast<int>(std::ranges::find(kBestFirst, s.meaning.dialect) - kBestFirst.begin());
}

void keep_best_exporter(std::vector<const Series*>& rows) {
  const int best = preference(**std::ranges::min_element(rows, {}, [](auto* s) { return preference(*s); }));
  std::erase_if(rows, [&](auto* s) { return preference(*s) != best; });
}

/// All readings of one signal of one device in order of time. Several series may read it at one stamp: copies
/// for the pods that share it. The device's own reading is the largest of them, since per-process values are
/// parts of it.
std::vector<Sample> joined_readings(std::span<const Series* const> gauges) {
  std::vector<Sample> samples = gauges.front()->samples();
  if (gauges.size() == 1) return samples;
  for (const Series* s : gauges.subspan(1)) {
    const auto more = s->samples();
    // A pod's rows often sort before those of the time when nobody was named.
    const bool before = !more.empty() && !samples.empty() && more.back().ms < samples.front().ms;
    samples.insert(before ? samples.begin() : samples.end(), more.begin(), more.end());
  }
  const auto later = [](const Sample& a, const Sample& b) { return a.ms >= b.ms; };
  if (std::ranges::adjacent_find(samples, later) == samples.end()) return samples;
  std::ranges::stable_sort(samples, [](const Sample& a, const Sample& b) {
    if (a.ms != b.ms) return a.ms < b.ms;
    if (std::isnan(a.value) != std::isnan(b.value)) return std::isnan(b.value);
    return a.value > b.value;
  });
  const auto twice = std::ranges::unique(samples, {}, &Sample::ms);
  samples.erase(twice.begin(), twice.end());
  return samples;
}

bool out_of_range(const Sample& s) {
  return s.value > 1.5 || s.value < 0;
}

bool all_ratios(std::span<const Series* const> gauges) {
  return std::ranges::all_of(gauges, [](const Series* s) { return s->within(0, 1); });
}

OddValues odd_values(std::span<const Series* const> gauges) {
  OddValues odd;
  if (all_ratios(gauges)) return odd;
  for (const Sample& s : joined_readings(gauges)) {
    odd.dropped += out_of_range(s);
    odd.clamped += !out_of_range(s) && s.value > 1;
  }
  return odd;
}

/// Both sorted, without doubles; the union is too.
void add_stamps(Stamps& have, Stamps more) {
  if (more.empty() || have == more) return;
  if (have.empty() || more.back() < have.front()) std::swap(have, more);
  if (more.empty()) return;
  if (have.back() < more.front()) {
    have.insert(have.end(), more.begin(), more.end());
    return;
  }
  Stamps both;
  both.reserve(have.size() + more.size());
  std::ranges::set_union(have, more, std::back_inserter(both));
  have = std::move(both);
}

/// The metrics of one exporter come with one scrape, so mostly nothing is new.
void add_stamps(Gathering::Named& named, const Series& s) {
  if (named.counted == nullptr || !s.scraped_with(*named.counted)) add_stamps(named.stamps, s.stamps());
  named.counted = &s;
}

/// Runs of `mine` in `all` (both sorted, mine within all): broken by a stamp of the device that does not name
/// the pod.
std::vector<Presence> presences(const PodName& pod, const Stamps& mine, const Stamps& all) {
  std::vector<Presence> out;
  const Duration limit = hold_limit(mine);
  bool open = false;
  auto next = all.begin();  // the first stamp of the device after mine[i]
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Instant t = Instant::unix_millis(mine[i]);
    if (!open) out.push_back({pod, t, t, t});
    out.back().last = t;
    while (next != all.end() && *next <= mine[i]) ++next;
    open = i + 1 < mine.size() && next != all.end() && *next == mine[i + 1];
    if (open) continue;
    out.back().until = t + limit;
    if (next != all.end()) out.back().until = std::min(out.back().until, Instant::unix_millis(*next));
  }
  return out;
}

void note_memory(Gathering& g, const Series& s) {
  if (s.meaning.role < Role::kMemoryUsed || s.meaning.role > Role::kMemoryReserved) return;
  const auto newest = s.newest();
  if (!newest || newest->value < 0) return;
  Sample& known = g.memory.try_emplace(s.meaning.role, *newest).first->second;
  if (std::tie(known.ms, known.value) < std::tie(newest->ms, newest->value)) known = *newest;
}

Bytes mib(double value) {
  return {static_cast<std::int64_t>(value * (1 << 20))};
}

/// A card's memory is what is used, free and reserved: exporters have no total by default.
void sum_memory(DeviceRows& rows, const std::map<Role, Sample>& newest) {
  const auto used = newest.find(Role::kMemoryUsed), free = newest.find(Role::kMemoryFree),
             reserved = newest.find(Role::kMemoryReserved);
  if (used == newest.end()) return;
  rows.memory.used = mib(used->second.value);
  if (free == newest.end() || free->second.ms != used->second.ms) return;
  const double rest = free->second.value + (reserved == newest.end() ? 0 : reserved->second.value);
  rows.memory.total = mib(used->second.value + rest);
}

DeviceRows finish(Gathering&& g) {
  Stamps all;
  for (const auto& [pod, named] : g.named) add_stamps(all, named.stamps);
  DeviceRows rows = std::move(g.rows);
  if (!all.empty()) {
    rows.first = Instant::unix_millis(all.front());
    rows.last = Instant::unix_millis(all.back());
    rows.stretches = stretches(all);
    rows.interval = modal_interval(all);
  }
  for (const auto& [pod, named] : g.named) {
    if (pod.second.empty() || named.stamps.empty()) continue;
    for (auto& p : presences(pod, named.stamps, all)) rows.presences.push_back(std::move(p));
  }
  sum_memory(rows, g.memory);
  return rows;
}

void gather(Gathering& g, const Series& s, const PodName& pod) {
  note_labels(g.rows, s);
  g.rows.memory_peak_mib = std::max(g.rows.memory_peak_mib, s.peak);
  add_stamps(g.named[pod], s);
  note_memory(g, s);
  // AMD measures whole cards only: of a part its activity says nothing.
  if (const auto signal = busy_signal(s.meaning.role); signal && !is_partition(s))
    g.rows.gauges[*signal].push_back(&s);
}

/// What became of one device, and the first stamps of its rows (at most two are of interest).
struct Finished {
  DeviceRows rows;
  OddValues odd;
  Stamps first_stamps;
};

Finished device_of(std::span<const Series* const> series, const Key& key, const std::set<PodName>& own) {
  Gathering g;
  std::tie(g.rows.cluster, g.rows.uuid, g.rows.instance) = key;
  for (const Series* s : series) {
    const bool exported = s->has("exported_pod");
    const bool exporters_row = !exported && (own.contains(plain_pod(*s)) || names_exporter(*s));
    if (exported || exporters_row) g.rows.exporter = plain_pod(*s);
    gather(g, *s, exporters_row ? PodName{} : pod_of(*s));
  }
  Finished out;
  for (const auto& [pod, named] : g.named)
    add_stamps(
        out.first_stamps,
        {named.stamps.begin(), named.stamps.begin() + std::min<std::ptrdiff_t>(2, std::ssize(named.stamps))});
  for (const auto& [signal, gauges] : g.rows.gauges) {
    const OddValues odd = odd_values(gauges);
    out.odd.clamped += odd.clamped;
    out.odd.dropped += odd.dropped;
  }
  out.rows = finish(std::move(g));
  return out;
}

}  // namespace

Segments busy_segments(std::span<const Series* const> gauges) {
  std::vector<Sample> samples = joined_readings(gauges);
  const Duration limit = hold_limit(samples);
  if (!all_ratios(gauges)) {
    std::erase_if(samples, out_of_range);
    for (Sample& s : samples)
      if (s.value > 1) s.value = 1;
  }
  return held(samples, limit);
}

namespace {

using SeriesList = std::vector<const Series*>;

/// The first stamp and the last of some series.
Window extent(const SeriesList& all) {
  Window out{Instant::max(), Instant::min()};
  for (const Series* s : all)
    if (const auto stamps = s->stamps(); !stamps.empty())
      out = {std::min(out.start, Instant::unix_millis(stamps.front())),
             std::max(out.end, Instant::unix_millis(stamps.back()))};
  return out;
}

/// By the node that a series names, by its node label where any of `all` has one, else by its host; empty
/// where neither does, or the host is an exporter's pod.
std::map<std::string, SeriesList> by_node(const SeriesList& all) {
  const bool labelled = std::ranges::any_of(all, [](const Series* s) { return !node_label(*s).empty(); });
  std::map<std::string, SeriesList> out;
  for (const Series* s : all) {
    std::string name = labelled ? node_label(*s) : host_label(*s);
    if (!labelled && name.find("exporter") != std::string::npos) name.clear();
    out[name].push_back(s);
  }
  return out;
}

/// A UUID is one device, also where it moves from node to node; rows that place it on two nodes at the same
/// time are of two devices.
std::vector<SeriesList> told_apart(const SeriesList& all) {
  const auto name_alike = [&](const Series* s) {
    return node_label(*s) == node_label(*all.front()) && host_label(*s) == host_label(*all.front());
  };
  if (std::ranges::all_of(all, name_alike)) return {all};
  auto nodes = by_node(all);
  SeriesList nowhere;
  if (auto unnamed = nodes.extract(""); !unnamed.empty()) nowhere = std::move(unnamed.mapped());
  if (nodes.size() < 2) return {all};
  std::vector<std::pair<Window, SeriesList>> spans;
  for (auto& [node, list] : nodes) spans.emplace_back(extent(list), std::move(list));
  std::ranges::stable_sort(spans, {}, [](const auto& s) { return s.first.start; });
  std::vector<std::pair<Instant, SeriesList>> devices;  // each with the last stamp so far
  for (auto& [span, list] : spans) {
    auto it = std::ranges::find_if(devices, [&](const auto& d) { return d.first < span.start; });
    if (it == devices.end()) it = devices.insert(it, {span.end, {}});
    it->first = std::max(it->first, span.end);
    it->second.insert(it->second.end(), list.begin(), list.end());
  }
  devices.front().second.insert(devices.front().second.end(), nowhere.begin(), nowhere.end());
  std::vector<SeriesList> out;
  for (auto& [last, list] : devices) out.push_back(std::move(list));
  return out;
}

}  // namespace

PodName pod_of(const Series& s) {
  if (s.has("exported_pod"))
    return {first_label(s, {"exported_namespace", "namespace"}), std::string(s.label("exported_pod"))};
  PodName plain = plain_pod(s);
  if (plain.second.empty()) return {};
  return plain;
}

DeviceCatalogue device_catalogue(const SeriesStore& store, unsigned threads) {
  DeviceCatalogue out;
  const std::set<PodName> own = exporters(store);
  out.exported_labels = !own.empty();
  std::map<Key, SeriesList> by_device;
  auto last = by_device.end();  // neighbours are mostly of one device
  for (const Series& s : store.all()) {
    if (!is_device_row(s)) continue;
    Key key{s.label("cluster"), device_uuid(s),
            first_label(s, {is_partition(s) ? "gpu_partition_id" : "GPU_I_ID"})};
    if (std::get<1>(key).empty()) continue;
    if (last == by_device.end() || last->first != key) last = by_device.try_emplace(std::move(key)).first;
    last->second.push_back(&s);
  }
  for (auto& [key, rows] : by_device) keep_best_exporter(rows);
  std::vector<std::pair<Key, SeriesList>> devices;
  for (const auto& [key, all] : by_device) {
    auto apart = told_apart(all);
    if (apart.size() > 1) out.twins.push_back(std::get<1>(key));
    for (SeriesList& of_one : apart) devices.emplace_back(key, std::move(of_one));
  }
  std::vector<Finished> finished(devices.size());
  for_each_index(devices.size(), threads,
                 [&](std::size_t i) { finished[i] = device_of(devices[i].second, devices[i].first, own); });
  std::set<std::int64_t> seen;
  for (Finished& f : finished) {
    for (const std::int64_t ms : f.first_stamps)
      if (seen.size() < 2) seen.insert(ms);
    out.odd.clamped += f.odd.clamped;
    out.odd.dropped += f.odd.dropped;
    out.devices.push_back(std::move(f.rows));
  }
  out.stamps = seen.size();
  return out;
}

}  // namespace etiage::evidence
