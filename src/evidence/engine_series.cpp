#include "evidence/engine_series.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>
#include <tuple>

namespace etiage::evidence {
namespace {

using PodOf = std::tuple<std::string, std::string, std::string>;  // cluster, namespace, pod

PodOf pod_key(const EngineSeries& s) {
  return {std::string(s.series->label("cluster")), s.pod.first, s.pod.second};
}

/// Labels that tell who scraped, not what was scraped.
bool of_scrape(std::string_view label) {
  return label == "job" || label == "service" || label == "endpoint" || label == "prometheus";
}

/// Ranks of one replica that show the same counts; data parallel ranks count each their own requests.
constexpr std::array<std::string_view, 3> kRankLabels{"tp_rank", "pp_rank", "moe_ep_rank"};

bool of_rank(std::string_view label) {
  return std::ranges::find(kRankLabels, label) != kRankLabels.end();
}

template <class Skip>
std::string key_without(const Series& s, Skip&& skip) {
  std::string key;
  for (const formats::Label& l : s.labels.each())
    if (!skip(l.name)) LabelSet::append(key, l);
  return key;
}

std::array<int, 3> rank_of(const Series& s) {
  std::array<int, 3> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string_view text = s.label(kRankLabels[i]);
    std::from_chars(text.data(), text.data() + text.size(), out[i]);
  }
  return out;
}

/// One target that two jobs scrape has the same instance.
std::vector<EngineSeries> each_target_once(const SeriesStore& store) {
  std::vector<EngineSeries> out;
  std::map<std::string, std::size_t> known;
  for (const Series& s : store.all()) {
    if (!of_engine(s.meaning.role)) continue;
    const auto [it, added] = known.try_emplace(key_without(s, of_scrape), out.size());
    if (added)
      out.push_back({&s, pod_of(s), {&s}});
    else
      out[it->second].scrapes.push_back(&s);
  }
  return out;
}

void keep_lowest_ranks(std::vector<EngineSeries>& all) {
  std::map<std::string, std::array<int, 3>> lowest;
  const auto key = [](const EngineSeries& s) { return key_without(*s.series, of_rank); };
  for (const EngineSeries& s : all) {
    const auto rank = rank_of(*s.series);
    const auto [it, added] = lowest.try_emplace(key(s), rank);
    if (!added) it->second = std::min(it->second, rank);
  }
  std::erase_if(all, [&](const EngineSeries& s) { return rank_of(*s.series) != lowest[key(s)]; });
}

/// How far the name is from the engine's own: Ray repeats it with a prefix, NIM without the engine's.
int distance(const Series& s) {
  if (s.meaning.dialect == "NIM") return 2;
  return s.label("__name__").starts_with("ray_") ? 1 : 0;
}

bool counts_tokens(const Series& s) {
  return s.meaning.role >= Role::kPromptTokens && s.meaning.role <= Role::kOutputTokens;
}

void drop_echoes(std::vector<EngineSeries>& all) {
  std::map<PodOf, int> nearest;
  for (const EngineSeries& s : all) {
    if (!counts_tokens(*s.series)) continue;
    const auto [it, added] = nearest.try_emplace(pod_key(s), distance(*s.series));
    if (!added) it->second = std::min(it->second, distance(*s.series));
  }
  std::erase_if(all, [&](const EngineSeries& s) {
    const auto it = nearest.find(pod_key(s));
    return it != nearest.end() && distance(*s.series) > it->second;
  });
}

}  // namespace

std::vector<formats::Sample> EngineSeries::samples() const {
  std::vector<formats::Sample> out = series->samples();
  for (const Series* more : std::span(scrapes).subspan(1)) {
    std::vector<formats::Sample> both;
    std::ranges::set_union(out, more->samples(), std::back_inserter(both), {}, &formats::Sample::ms,
                           &formats::Sample::ms);
    out = std::move(both);
  }
  return out;
}

std::vector<EngineSeries> engine_series(const SeriesStore& store) {
  std::vector<EngineSeries> out = each_target_once(store);
  keep_lowest_ranks(out);
  drop_echoes(out);
  return out;
}

}  // namespace etiage::evidence
