// Engine series to the pods they belong to: by the pod's identity, never by the model's name (RULES.md 22).

#include "evidence/engines.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// Where a counter's growth goes.
Growths* place(EngineCounters& c, Role role) {
  switch (role) {
    case Role::kPromptTokens:
      return &c.prompt;
    case Role::kComputedPromptTokens:
      return &c.computed;
    case Role::kCacheHitPromptTokens:
      return &c.cache_hits;
    case Role::kTransferredPromptTokens:
      return &c.transferred;
    case Role::kCachedTokens:
      return &c.cached;
    case Role::kOutputTokens:
      return &c.output;
    case Role::kPrefillSeconds:
      return &c.prefill;
    case Role::kDecodeSeconds:
      return &c.decode;
    case Role::kImages:
      return &c.images;
    default:
      return nullptr;
  }
}

/// Triton serves an LLM as a pipeline of models; these names of its parts say nothing of the model inside.
bool names_part(std::string_view model) {
  for (std::string_view part :
       {"ensemble", "tensorrt_llm", "tensorrt_llm_bls", "preprocessing", "postprocessing"})
    if (model == part) return true;
  return false;
}

std::string model_label(const Series& s) {
  for (std::string_view name : {"model_name", "model", "model_id"})
    if (s.has(name) && !names_part(s.label(name))) return std::string(s.label(name));
  return "";
}

/// A name may have had several lives; each part of the series belongs to the one that was there.
std::vector<PodId> lives_of(const Draft& draft, const PodKey& key) {
  std::vector<PodId> out;
  const auto [from, to] = draft.lives.equal_range(key);
  for (auto it = from; it != to; ++it) out.push_back(it->second);
  std::ranges::sort(out, {}, [&](PodId p) { return draft.out.pods[p.index()].life.start; });
  return out;
}

void add_gauge(Draft& draft, const std::vector<PodId>& lives, const EngineSeries& s) {
  for (PodId id : lives) {
    EnginePod& engine = draft.engines[id.index()];
    auto& list = s.series->meaning.role == Role::kRunning ? engine.running : engine.waiting;
    list.push_back({s, draft.pod(id).life});
  }
}

int falls(Samples samples) {
  int out = 0;
  double before = 0;
  for (const auto& s : samples) {
    if (!std::isfinite(s.value)) continue;
    if (s.value < before) ++out;
    before = s.value;
  }
  return out;
}

/// Of a single scrape: all that was counted since the engine started.
void add_total(Draft& draft, PodId pod, const EngineSeries& s) {
  auto* list = place(draft.engines[pod.index()].models[model_label(*s.series)], s.series->meaning.role);
  const auto samples = s.samples();
  if (!list || samples.empty() || !std::isfinite(samples.back().value)) return;
  const Instant t = Instant::unix_millis(samples.back().ms);
  list->push_back({{t - Duration{1}, t}, samples.back().value});
}

void add_counter(Draft& draft, const std::vector<PodId>& lives, const EngineSeries& s) {
  if (draft.out.window.empty()) return add_total(draft, lives.back(), s);
  std::vector<Instant> begun;
  for (PodId id : lives)
    begun.insert(begun.end(), draft.pods[id.index()].begun.begin(), draft.pods[id.index()].begun.end());
  const auto samples = s.samples();
  const std::string model = model_label(*s.series);
  if (s.series->meaning.role == Role::kOutputTokens)
    draft.engines[lives.back().index()].resets += falls(samples);
  PodId known;
  Growths* list = nullptr;
  const auto grown = growth(samples, hold_limit(samples), draft.out.window.start, begun);
  for (const Growth& g : grown) {
    const auto owner =
        std::ranges::find_if(lives, [&](PodId id) { return g.span.end <= draft.pod(id).life.end; });
    const PodId id = owner == lives.end() ? lives.back() : *owner;
    if (id != known) {
      list = place(draft.engines[id.index()].models[model], s.series->meaning.role);
      if (list != nullptr && lives.size() == 1) list->reserve(grown.size());
    }
    known = id;
    if (list != nullptr) list->push_back(g);
  }
}

/// Who an engine's series are of: its pod, else where it was scraped, else the engine by its kind.
PodKey server_of(const Draft& draft, const Series& s) {
  const std::string cluster = draft.cluster_of(s.label("cluster"));
  if (const PodName pod = pod_of(s); !pod.second.empty()) return {cluster, pod.first, pod.second};
  for (std::string_view name : {"instance", "job"})
    if (s.has(name)) return {cluster, std::string(s.label("namespace")), std::string(s.label(name))};
  return {cluster, "", std::string(s.meaning.dialect)};
}

}  // namespace

Segments EngineGauge::segments() const {
  const auto samples = series.samples();
  Segments out;
  inside(held(samples, hold_limit(samples)), life, [&](Window w, double v) { out.push_back({w, v}); });
  return out;
}

Segments sum(const std::vector<EngineGauge>& gauges) {
  std::vector<Segments> parts;
  for (const EngineGauge& gauge : gauges)
    if (Segments part = gauge.segments(); !part.empty()) parts.push_back(std::move(part));
  return sum(parts);
}

void add_lone_engines(Draft& draft) {
  std::map<PodKey, Window> found;
  for (const Series& s : draft.sources.series.all()) {
    if (!of_engine(s.meaning.role)) continue;
    const PodKey key = server_of(draft, s);
    if (draft.lives.contains(key)) continue;
    const auto samples = s.samples();
    if (samples.empty()) continue;
    const Window seen{Instant::unix_millis(samples.front().ms),
                      Instant::unix_millis(samples.back().ms) + hold_limit(samples)};
    Window& life = found.try_emplace(key, seen).first->second;
    life = {std::min(life.start, seen.start), std::max(life.end, seen.end)};
  }
  for (const auto& [key, life] : found) {
    PodLife server;
    server.life = life;
    server.workload_kind = "Server";
    server.source = PodSource::kEngineSeries;
    std::tie(server.cluster, server.ns, server.name) = key;
    server.workload = server.name;
    draft.add_pod(std::move(server), {});
  }
}

void find_engines(Draft& draft) {
  draft.engines.resize(draft.out.pods.size());
  std::vector<std::string> lost;
  const auto all = engine_series(draft.sources.series);
  std::map<std::vector<PodId>, std::vector<const EngineSeries*>> of_lives;
  for (const EngineSeries& s : all) {
    auto lives = lives_of(draft, server_of(draft, *s.series));
    if (lives.empty()) continue;
    if (s.series->meaning.role == Role::kOutputTokens &&
        draft.pod(lives.front()).source == PodSource::kEngineSeries)
      lost.push_back(model_label(*s.series));
    for (PodId id : lives) {
      draft.pod(id).engine = s.series->meaning.dialect;
      draft.engines[id.index()].decodes |= s.series->label("engine_type") == "decode";
    }
    of_lives[std::move(lives)].push_back(&s);
  }
  // Pods of different names share nothing.
  const std::vector<std::pair<std::vector<PodId>, std::vector<const EngineSeries*>>> pods(of_lives.begin(),
                                                                                          of_lives.end());
  for_each_index(pods.size(), draft.request.threads, [&](std::size_t i) {
    for (const EngineSeries* s : pods[i].second)
      if (const Role role = s->series->meaning.role; role == Role::kRunning || role == Role::kWaiting)
        add_gauge(draft, pods[i].first, *s);
      else
        add_counter(draft, pods[i].first, *s);
  });
  std::ranges::sort(lost);
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  if (!lost.empty())
    draft.check({"tokens-without-pod", Severity::kWarning, "token counters that name no known pod",
                 "these tokens are shown without money",
                 "scrape engines by a PodMonitor, so that namespace and pod labels are set",
                 std::move(lost)});
}

}  // namespace etiage::evidence
