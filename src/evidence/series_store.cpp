#include "evidence/series_store.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "base/parallel.h"
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

/// The text of the labels that name a replica; the others with the cluster's name in its place, behind the
/// tenant's where there are `several_tenants`: each may call a cluster `prod`.
std::pair<std::string, LabelSet> told_apart(const LabelSet& all,
                                            const std::vector<std::string>& cluster_labels,
                                            bool several_tenants, Arena& arena) {
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
  return {std::move(replica), LabelSet(others, arena)};
}

}  // namespace

SeriesStore::SeriesStore(std::vector<std::string> cluster_labels, Announced announced)
    : cluster_labels_(std::move(cluster_labels)), announced_(announced) {
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

void SeriesStore::open(formats::SeriesRef series) {
  if (open_ == series) return;
  close();
  open_ = series;
}

void SeriesStore::close() {
  if (open_) incoming_[*open_].track.seal(gathered_, arena_);
  open_.reset();
}

bool SeriesStore::stands_as_it_is(formats::Labels labels) const {
  return std::ranges::none_of(labels, [&](const formats::Label& l) {
    return names_replica(l.name) || l.name == formats::kTenantLabel ||
           (l.name != "cluster" && std::ranges::find(cluster_labels_, l.name) != cluster_labels_.end());
  });
}

std::optional<formats::SeriesRef> SeriesStore::series(formats::Labels labels) {
  if (announced_ == Announced::kAgain) {
    asked_.clear();
    for (const formats::Label& l : labels) LabelSet::append(asked_, l);
    if (const auto it = refs_.find(asked_); it != refs_.end()) return open(it->second), it->second;
  }
  const auto meaning = meaning_of(labels);
  if (!meaning) return {};
  const auto ref = static_cast<formats::SeriesRef>(incoming_.size());
  const Incoming& added = incoming_.emplace_back(
      *meaning, LabelSet(labels, arena_), Track(!presence_only(meaning->role)), 0, stands_as_it_is(labels));
  if (announced_ == Announced::kAgain) refs_.emplace(added.labels.text(), ref);
  return open(ref), ref;
}

formats::Downsampled SeriesStore::downsampled(std::string_view metric) {
  const auto meaning = meaning_of(metric);
  return meaning ? when_downsampled(meaning->role) : formats::Downsampled::kNever;
}

void SeriesStore::samples(formats::SeriesRef series, std::span<const formats::Sample> samples) {
  open(series);
  Incoming& to = incoming_[series];
  samples = possible(to, samples);
  to.track.push(samples, gathered_);
  if (!peak_only(to.meaning.role)) return;
  for (const auto& s : samples)
    if (s.value < kAbsurd) to.peak = std::max(to.peak, s.value);
}

/// The samples but those of impossible times.
std::span<const formats::Sample> SeriesStore::possible(const Incoming& of,
                                                       std::span<const formats::Sample> samples) {
  // Each of them is at a glance, if all their bits together make a time between 1970 and 2248.
  constexpr std::uint64_t kUsual = (std::uint64_t{1} << 43) - 1;
  static_assert(kUsual <= kLastMs);
  std::uint64_t bits = 0;
  for (const formats::Sample& s : samples) bits |= static_cast<std::uint64_t>(s.ms);
  if (bits <= kUsual) return samples;
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
  other.close();
  arena_.absorb(std::move(other.arena_));
  if (incoming_.empty()) {
    std::swap(incoming_, other.incoming_);
    std::swap(refs_, other.refs_);
  } else if (announced_ == Announced::kOnce || other.announced_ == Announced::kOnce) {
    absorbed_.push_back(std::exchange(other.incoming_, {}));
  } else {
    look_up_and_absorb(other);
  }
  std::ranges::move(other.absorbed_, std::back_inserter(absorbed_));
  other.absorbed_.clear();
}

void SeriesStore::look_up_and_absorb(SeriesStore& other) {
  close();
  for (Incoming& theirs : other.incoming_) {
    if (const auto it = refs_.find(theirs.labels.text()); it != refs_.end()) {
      Incoming& mine = incoming_[it->second];
      mine.peak = std::max(mine.peak, theirs.peak);
      mine.track.append(theirs.track, arena_);
      continue;
    }
    const auto ref = static_cast<formats::SeriesRef>(incoming_.size());
    refs_.emplace(incoming_.emplace_back(std::move(theirs)).labels.text(), ref);
  }
  other.incoming_.clear();
  other.refs_.clear();
}

std::size_t SeriesStore::tenants_of(std::span<const Ordered> all) {
  std::set<std::string_view> tenants;
  for (const auto& [replica, s] : all)
    if (const auto tenant = s->as_it_is ? std::string_view{} : s->labels.value(formats::kTenantLabel);
        !tenant.empty())
      tenants.insert(tenant);
  return tenants.size();
}

/// All that came in, by labels, then by replica; what came first before its equals.
std::vector<SeriesStore::Ordered> SeriesStore::in_order(unsigned threads) {
  std::vector<Ordered> order;
  for (Incoming& s : incoming_) order.emplace_back("", &s);
  for (auto& some : absorbed_)
    for (Incoming& s : some) order.emplace_back("", &s);
  const bool several_tenants = tenants_of(order) > 1;
  for (auto& [replica, s] : order)
    if (!s->as_it_is)
      std::tie(replica, s->labels) = told_apart(s->labels, cluster_labels_, several_tenants, arena_);
  sort_stably(order, threads, [](const Ordered& a, const Ordered& b) {
    return std::pair(a.from->labels.text(), std::string_view(a.replica)) <
           std::pair(b.from->labels.text(), std::string_view(b.replica));
  });
  return order;
}

void SeriesStore::finish(unsigned threads) {
  close();
  refs_.clear();
  auto order = in_order(threads);
  series_.reserve(order.size());
  for (auto& [replica, from] : order) {
    if (series_.empty() || series_.back().labels.text() != from->labels.text())
      series_.push_back({from->meaning, from->labels.copied_to(arena_), {}, 0});
    Series& of = series_.back();
    of.peak = std::max(of.peak, from->peak);
    const auto [track, added] = of.replicas.try_emplace(std::move(replica), std::move(from->track));
    if (!added) track->second.append(from->track, arena_);  // of two names of one cluster
  }
  incoming_.clear();
  absorbed_.clear();
}

}  // namespace etiage::evidence
