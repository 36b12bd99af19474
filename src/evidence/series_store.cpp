#include "evidence/series_store.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "formats/cluster_labels.h"

namespace etiage::evidence {
namespace {

// DCGM says "not supported" with numbers near 2^31 and 2^63.
constexpr double kAbsurd = 1 << 30;

bool names_replica(std::string_view label) {
  return label == "prometheus_replica" || label == "replica" || label == "__replica__";
}

void add_to_key(std::string& key, std::string_view name, std::string_view value) {
  key.append(name).push_back('\0');
  key.append(value).push_back('\1');
}

/// A percentage is divided, so that 55 gives 0.55 and not its neighbour.
double scale(double value, double by) {
  return by == 0.01 ? value / 100 : value * by;
}

std::string key_of(const Series& series) {
  std::string key;
  for (const auto& [name, value] : series.labels) add_to_key(key, name, value);
  return key;
}

/// Calls the label that names the cluster `cluster`; another of that name gives way.
void name_cluster(std::vector<std::pair<std::string, std::string>>& labels,
                  const std::vector<std::string>& cluster_labels) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(labels, name, &std::pair<std::string, std::string>::first);
  };
  for (const std::string& name : cluster_labels) {
    const auto at = named(name);
    if (at == labels.end()) continue;
    if (name == "cluster") return;
    std::string value = std::move(at->second);
    labels.erase(at);
    if (const auto old = named("cluster"); old != labels.end()) labels.erase(old);
    labels.insert(
        std::ranges::lower_bound(labels, "cluster", {}, &std::pair<std::string, std::string>::first),
        {"cluster", std::move(value)});
    return;
  }
}

}  // namespace

SeriesStore::SeriesStore(std::vector<std::string> cluster_labels)
    : cluster_labels_(std::move(cluster_labels)) {
  if (cluster_labels_.empty())
    cluster_labels_.assign(formats::kClusterLabels.begin(), formats::kClusterLabels.end());
}

std::string_view Series::label(std::string_view name) const {
  const auto it =
      std::ranges::lower_bound(labels, name, {}, [](const auto& l) -> std::string_view { return l.first; });
  return it != labels.end() && it->first == name ? std::string_view(it->second) : std::string_view();
}

std::vector<formats::Sample> Series::samples() const {
  std::vector<formats::Sample> out;
  for (const auto& [name, track] : replicas) {
    auto more = track.samples();
    if (out.empty()) {
      out = std::move(more);
      continue;
    }
    // set_union keeps the sample of the first range where stamps are equal.
    std::vector<formats::Sample> merged;
    merged.reserve(out.size() + more.size());
    std::ranges::set_union(out, more, std::back_inserter(merged), {}, &formats::Sample::ms,
                           &formats::Sample::ms);
    out = std::move(merged);
  }
  if (meaning.scale != 1)
    for (auto& s : out)
      if (!std::isnan(s.value)) s.value = scale(s.value, meaning.scale);
  return out;
}

bool Series::within(double low, double high) const {
  std::vector<double> values;
  for (const auto& [name, track] : replicas) {
    values.clear();
    track.append_values_to(values);
    for (const double v : values)
      if (const double scaled = scale(v, meaning.scale); scaled < low || scaled > high) return false;
  }
  return true;
}

std::vector<std::int64_t> Series::stamps() const {
  if (replicas.size() == 1) return replicas.begin()->second.stamps();
  std::vector<std::int64_t> out;
  for (const formats::Sample& s : samples())
    if (!formats::is_stale(s.value)) out.push_back(s.ms);
  return out;
}

std::optional<formats::Sample> Series::newest() const {
  std::optional<formats::Sample> out;
  for (const auto& [name, track] : replicas)
    if (const auto s = track.newest(); s && (!out || s->ms > out->ms)) out = s;
  if (out) out->value = scale(out->value, meaning.scale);
  return out;
}

std::optional<formats::SeriesRef> SeriesStore::series(formats::Labels labels) {
  all_labels_.clear();
  for (const auto& l : labels) add_to_key(all_labels_, l.name, l.value);
  if (open_) places_[*open_].track->seal();
  if (const auto it = refs_.find(all_labels_); it != refs_.end()) return open_ = it->second;
  const auto meaning = meaning_of(labels);
  if (!meaning) return {};
  Series series{*meaning, {}, {}};
  std::string replica;
  for (const auto& l : labels) {
    if (names_replica(l.name))
      add_to_key(replica, l.name, l.value);
    else
      series.labels.emplace_back(l.name, l.value);
  }
  name_cluster(series.labels, cluster_labels_);
  std::string key = key_of(series);
  const std::uint32_t index = find_or_add(std::move(key), std::move(series));
  auto& track = series_[index].replicas.try_emplace(replica, !presence_only(meaning->role)).first->second;
  places_.push_back({index, &track});
  open_ = static_cast<formats::SeriesRef>(places_.size() - 1);
  refs_.emplace(all_labels_, *open_);
  return open_;
}

formats::Downsampled SeriesStore::downsampled(std::string_view metric) {
  const auto meaning = meaning_of(metric);
  return meaning ? when_downsampled(meaning->role) : formats::Downsampled::kNever;
}

void SeriesStore::samples(formats::SeriesRef series, std::span<const formats::Sample> samples) {
  places_[series].track->push(samples);
  Series& of = series_[places_[series].series];
  if (!peak_only(of.meaning.role)) return;
  for (const auto& s : samples)
    if (s.value < kAbsurd) of.peak = std::max(of.peak, s.value);
}

std::uint32_t SeriesStore::find_or_add(std::string key, Series&& series) {
  const auto [it, added] = by_key_.try_emplace(std::move(key), static_cast<std::uint32_t>(series_.size()));
  if (added) series_.push_back(std::move(series));
  return it->second;
}

void SeriesStore::absorb(SeriesStore&& other) {
  if (series_.empty()) {
    *this = std::move(other);
    return;
  }
  if (other.open_) other.places_[*other.open_].track->seal();
  for (Series& theirs : other.series_) {
    std::string key = key_of(theirs);
    auto replicas = std::move(theirs.replicas);
    const double peak = theirs.peak;
    theirs.replicas.clear();
    auto& mine = series_[find_or_add(std::move(key), std::move(theirs))];
    mine.peak = std::max(mine.peak, peak);
    for (auto& [name, track] : replicas) {
      const auto [it, added] = mine.replicas.try_emplace(name, std::move(track));
      if (!added) it->second.append(track);
    }
  }
  other = SeriesStore();
}

void SeriesStore::finish() {
  if (open_) places_[*open_].track->seal();
  std::vector<std::uint32_t> order(series_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) -> const auto& { return series_[i].labels; });
  std::vector<Series> sorted;
  sorted.reserve(series_.size());
  for (const std::uint32_t i : order) sorted.push_back(std::move(series_[i]));
  series_ = std::move(sorted);
  by_key_.clear();
  refs_.clear();
  places_.clear();
  open_.reset();
}

}  // namespace etiage::evidence
