#include "evidence/series_store.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "formats/cluster_labels.h"

namespace etiage::evidence {
namespace {

// DCGM says "not supported" with numbers near 2^31 and 2^63.
constexpr double kAbsurd = 1 << 30;

// Milliseconds until the year 2255: moments in nanoseconds and some hours more fit into 64 bits.
constexpr std::int64_t kLastMs = 9'000'000'000'000;

bool names_replica(std::string_view label) {
  return label == "prometheus_replica" || label == "replica" || label == "__replica__";
}

/// A percentage is divided, so that 55 gives 0.55 and not its neighbour.
double scale(double value, double by) {
  return by == 0.01 ? value / 100 : value * by;
}

/// Calls the label that names the cluster `cluster`; another of that name gives way.
void name_cluster(std::vector<formats::Label>& labels, const std::vector<std::string>& cluster_labels) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(labels, name, &formats::Label::name);
  };
  for (const std::string& name : cluster_labels) {
    const auto at = named(name);
    if (at == labels.end()) continue;
    if (name == "cluster") return;
    const std::string_view value = at->value;
    labels.erase(at);
    if (const auto old = named("cluster"); old != labels.end()) labels.erase(old);
    labels.insert(std::ranges::lower_bound(labels, "cluster", {}, &formats::Label::name), {"cluster", value});
    return;
  }
}

/// Whether no label is to be taken out or renamed: so are most.
bool stand_as_they_are(const LabelSet& all, const std::vector<std::string>& cluster_labels) {
  return std::ranges::none_of(all.each(), [&](const formats::Label& l) {
    return names_replica(l.name) || l.name == formats::kTenantLabel ||
           (l.name != "cluster" && std::ranges::find(cluster_labels, l.name) != cluster_labels.end());
  });
}

/// The text of the labels that name a replica; the others with the cluster's name in its place, behind the
/// tenant's where there are `several_tenants`: each may call a cluster `prod`.
std::pair<std::string, LabelSet> told_apart(const LabelSet& all,
                                            const std::vector<std::string>& cluster_labels,
                                            bool several_tenants) {
  std::string replica, cluster;
  std::vector<formats::Label> others;
  for (const formats::Label& l : all.each())
    if (names_replica(l.name))
      LabelSet::append(replica, l);
    else if (l.name == formats::kTenantLabel)
      cluster = several_tenants ? l.value : "";
    else
      others.push_back(l);
  name_cluster(others, cluster_labels);
  if (!cluster.empty()) {
    const auto at = std::ranges::lower_bound(others, "cluster", {}, &formats::Label::name);
    if (at != others.end() && at->name == "cluster")
      cluster += '/', cluster += at->value, at->value = cluster;
    else
      others.insert(at, {"cluster", cluster});
  }
  return {std::move(replica), LabelSet(others)};
}

}  // namespace

SeriesStore::SeriesStore(std::vector<std::string> cluster_labels)
    : cluster_labels_(std::move(cluster_labels)) {
  if (cluster_labels_.empty())
    cluster_labels_.assign(formats::kClusterLabels.begin(), formats::kClusterLabels.end());
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
  return std::ranges::all_of(replicas, [&](const auto& replica) {
    const auto range = replica.second.range();
    return !range || (scale(range->low, meaning.scale) >= low && scale(range->high, meaning.scale) <= high);
  });
}

bool Series::scraped_with(const Series& other) const {
  return replicas.size() == 1 && other.replicas.size() == 1 &&
         replicas.begin()->second.same_times(other.replicas.begin()->second);
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
  asked_.clear();
  for (const formats::Label& l : labels) LabelSet::append(asked_, l);
  if (open_) incoming_[*open_].track.seal();
  if (const auto it = refs_.find(asked_); it != refs_.end()) return open_ = it->second;
  const auto meaning = meaning_of(labels);
  if (!meaning) return {};
  open_ = static_cast<formats::SeriesRef>(incoming_.size());
  const Incoming& added =
      incoming_.emplace_back(*meaning, LabelSet(labels), Track(!presence_only(meaning->role)));
  refs_.emplace(added.labels.text(), *open_);
  return open_;
}

formats::Downsampled SeriesStore::downsampled(std::string_view metric) {
  const auto meaning = meaning_of(metric);
  return meaning ? when_downsampled(meaning->role) : formats::Downsampled::kNever;
}

void SeriesStore::samples(formats::SeriesRef series, std::span<const formats::Sample> samples) {
  Incoming& to = incoming_[series];
  samples = possible(to, samples);
  to.track.push(samples);
  if (!peak_only(to.meaning.role)) return;
  for (const auto& s : samples)
    if (s.value < kAbsurd) to.peak = std::max(to.peak, s.value);
}

/// The samples but those of impossible times.
std::span<const formats::Sample> SeriesStore::possible(const Incoming& of,
                                                       std::span<const formats::Sample> samples) {
  const auto beyond = [](const formats::Sample& s) { return s.ms < -kLastMs || s.ms > kLastMs; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(samples, beyond));
  if (count == 0) return samples;
  if (impossible_.samples == 0) impossible_.metric = of.labels.value("__name__");
  impossible_.samples += count;
  kept_.assign(samples.begin(), samples.end());
  std::erase_if(kept_, beyond);
  return kept_;
}

void SeriesStore::absorb(SeriesStore&& other) {
  if (impossible_.samples == 0) impossible_.metric = other.impossible_.metric;
  impossible_.samples += other.impossible_.samples;
  if (other.open_) other.incoming_[*other.open_].track.seal();
  other.open_.reset();
  if (incoming_.empty()) {
    std::swap(incoming_, other.incoming_);
    std::swap(refs_, other.refs_);
    return;
  }
  for (Incoming& theirs : other.incoming_) {
    if (const auto it = refs_.find(theirs.labels.text()); it != refs_.end()) {
      Incoming& mine = incoming_[it->second];
      mine.peak = std::max(mine.peak, theirs.peak);
      mine.track.append(theirs.track);
      continue;
    }
    const auto ref = static_cast<formats::SeriesRef>(incoming_.size());
    refs_.emplace(incoming_.emplace_back(std::move(theirs)).labels.text(), ref);
  }
  other.incoming_.clear();
  other.refs_.clear();
}

void SeriesStore::finish() {
  if (open_) incoming_[*open_].track.seal();
  refs_.clear();
  std::set<std::string_view> tenants;
  for (const Incoming& s : incoming_)
    if (const auto tenant = s.labels.value(formats::kTenantLabel); !tenant.empty()) tenants.insert(tenant);
  const bool several_tenants = tenants.size() > 1;
  std::vector<std::pair<std::string, Incoming*>> order;  // with the replica
  order.reserve(incoming_.size());
  for (Incoming& s : incoming_) {
    auto& [replica, at] = order.emplace_back("", &s);
    if (!stand_as_they_are(s.labels, cluster_labels_))
      std::tie(replica, s.labels) = told_apart(s.labels, cluster_labels_, several_tenants);
  }
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return std::pair(a.second->labels.text(), std::string_view(a.first)) <
           std::pair(b.second->labels.text(), std::string_view(b.first));
  });
  series_.reserve(order.size());
  for (auto& [replica, from] : order) {
    if (series_.empty() || series_.back().labels.text() != from->labels.text())
      series_.push_back({from->meaning, std::move(from->labels), {}, 0});
    Series& of = series_.back();
    of.peak = std::max(of.peak, from->peak);
    const auto [track, added] = of.replicas.try_emplace(std::move(replica), std::move(from->track));
    if (!added) track->second.append(from->track);  // of two names of one cluster
  }
  incoming_.clear();
  open_.reset();
}

}  // namespace etiage::evidence
