#include "evidence/kube_pods.h"

#include <algorithm>
#include <cmath>

#include "evidence/device_rows.h"
#include "evidence/kube_labels.h"

namespace etiage::evidence {
namespace {

using formats::Sample;

bool of_pod(Role role) {
  return role >= Role::kPodInfo && role <= Role::kPodLabels;
}

std::optional<Instant> moment(const std::vector<Sample>& samples) {
  for (auto it = samples.rbegin(); it != samples.rend(); ++it)
    if (std::isfinite(it->value))
      return Instant::unix_millis(static_cast<std::int64_t>(std::llround(it->value * 1000)));
  return {};
}

double last_value(const std::vector<Sample>& samples) {
  for (auto it = samples.rbegin(); it != samples.rend(); ++it)
    if (std::isfinite(it->value)) return it->value;
  return 0;
}

void read_info(KubePod& pod, const Series& s, std::vector<Sample> samples) {
  std::erase_if(samples, [](const Sample& x) { return std::isnan(x.value); });
  if (samples.empty()) return;
  // A pod that is placed later begins a new series with the same uid and a node.
  if (s.has("exported_node"))
    pod.node = s.label("exported_node");  // the plain one is then the scraper's
  else if (s.has("node"))
    pod.node = s.label("node");
  if (s.has("created_by_kind") && s.label("created_by_kind") != "<none>") {
    pod.owner_kind = s.label("created_by_kind");
    pod.owner_name = s.label("created_by_name");
  }
  if (s.has("pod_ip")) pod.pod_ip = s.label("pod_ip");
  const Instant first = Instant::unix_millis(samples.front().ms),
                until = Instant::unix_millis(samples.back().ms) + hold_limit(samples);
  pod.first = std::min(pod.first.value_or(first), first);
  pod.until = std::max(pod.until.value_or(until), until);
}

void read_phase(KubePod& pod, const Series& s, const std::vector<Sample>& samples) {
  if (s.label("phase") != "Succeeded" && s.label("phase") != "Failed") return;
  for (const Sample& x : samples)
    if (x.value > 0) {
      const Instant t = Instant::unix_millis(x.ms);
      pod.terminal = std::min(pod.terminal.value_or(t), t);
      return;
    }
}

void read_request(KubePod& pod, const Series& s, double value) {
  const std::string_view resource = s.label("resource");
  if (resource == "cpu")
    pod.cores += value;
  else if (resource == "memory")
    pod.memory_bytes += value;
  else if (resource.find("gpu") != std::string_view::npos || resource.starts_with("nvidia_com_") ||
           s.label("unit") == "integer")
    pod.devices[std::string(resource)] += value;
}

void read(KubePod& pod, const Series& s) {
  auto samples = s.samples();
  switch (s.meaning.role) {
    case Role::kPodInfo:
      read_info(pod, s, std::move(samples));
      break;
    case Role::kPodCreated:
      pod.created = moment(samples);
      break;
    case Role::kPodStarted:
      pod.started = moment(samples);
      break;
    case Role::kPodScheduled:
      pod.scheduled = moment(samples);
      break;
    case Role::kPodCompleted:
      pod.completed = moment(samples);
      break;
    case Role::kPodDeletion:
      pod.deleted = moment(samples);
      break;
    case Role::kPodPhase:
      read_phase(pod, s, samples);
      break;
    case Role::kPodRequests:
      read_request(pod, s, last_value(samples));
      break;
    case Role::kPodRestarts:
      pod.restarts.push_back(std::move(samples));
      break;
    case Role::kPodLabels:
      for (auto& [key, value] : kube_labels(s)) pod.labels[key] = value;
      break;
    case Role::kPodReady:
      if (s.label("condition") == "true") {
        pod.ready.insert(pod.ready.end(), samples.begin(), samples.end());
        std::ranges::stable_sort(pod.ready, {}, &Sample::ms);
      }
      break;
    default:
      break;
  }
}

/// From the first not-Ready sample after the last count before the rise, until Ready again.
void add_restarts(std::vector<Window>& out, const std::vector<Sample>& ready,
                  const std::vector<Sample>& counts, Instant end) {
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (!(counts[i].value > counts[i - 1].value)) continue;
    const auto down =
        std::ranges::find_if(ready, [&](const Sample& r) { return r.ms > counts[i - 1].ms && r.value == 0; });
    if (down == ready.end() || down->ms > counts[i].ms) continue;
    const auto up =
        std::ranges::find_if(ready, [&](const Sample& r) { return r.ms >= counts[i].ms && r.value == 1; });
    out.push_back({Instant::unix_millis(down->ms), up == ready.end() ? end : Instant::unix_millis(up->ms)});
  }
}

}  // namespace

Window KubePod::life() const {
  Instant start = scheduled.value_or(started.value_or(created.value_or(first.value_or(Instant::min()))));
  Instant end = until.value_or(Instant::max());
  if (completed)
    end = std::min(end, *completed);
  else if (terminal)
    end = std::min(end, *terminal);
  return {start, end};
}

std::vector<Window> KubePod::starting(Window life) const {
  std::vector<Window> out;
  if (!ready.empty() && ready.front().value == 0) {
    const auto up = std::ranges::find_if(ready, [](const Sample& r) { return r.value == 1; });
    out.push_back({life.start, up == ready.end() ? life.end : Instant::unix_millis(up->ms)});
  }
  for (const auto& counts : restarts) add_restarts(out, ready, counts, life.end);
  if (deleted) out.push_back({*deleted, life.end});
  return out;
}

std::vector<KubePod> kube_pods(const SeriesStore& store, const std::map<std::string, std::string>& alias) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, KubePod> found;
  for (const Series& s : store.all()) {
    if (!of_pod(s.meaning.role)) continue;
    const PodName who = pod_of(s);
    if (who.second.empty()) continue;
    const std::string cluster(s.label("cluster"));
    const auto named = alias.find(cluster);
    auto& pod = found[{named == alias.end() ? cluster : named->second, who.first, who.second,
                       std::string(s.label("uid"))}];
    read(pod, s);
  }
  std::vector<KubePod> out;
  for (auto& [key, pod] : found) {
    std::tie(pod.cluster, pod.ns, pod.name, pod.uid) = key;
    out.push_back(std::move(pod));
  }
  return out;
}

}  // namespace etiage::evidence
