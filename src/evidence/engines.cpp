// Engine series to the pods they belong to: by the pod's identity, never by the model's name (RULES.md 22).

#include "evidence/engines.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "evidence/draft.h"
#include "evidence/engine_series.h"

namespace etiage::evidence {
namespace {

/// Where a counter's growth goes.
std::vector<Growth>* place(EngineCounters& c, Role role) {
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
  const auto samples = s.samples();
  const Segments segments = held(samples, hold_limit(samples));
  for (PodId id : lives) {
    Segments mine;
    inside(segments, draft.pod(id).life, [&](Window w, double v) { mine.push_back({w, v}); });
    EnginePod& engine = draft.engines[id.index()];
    auto& list = s.series->meaning.role == Role::kRunning ? engine.running : engine.waiting;
    if (!mine.empty()) list.push_back(std::move(mine));
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

void add_counter(Draft& draft, const std::vector<PodId>& lives, const EngineSeries& s) {
  std::vector<Instant> begun;
  for (PodId id : lives)
    begun.insert(begun.end(), draft.pods[id.index()].begun.begin(), draft.pods[id.index()].begun.end());
  const auto samples = s.samples();
  const std::string model = model_label(*s.series);
  if (s.series->meaning.role == Role::kOutputTokens)
    draft.engines[lives.back().index()].resets += falls(samples);
  PodId known;
  std::vector<Growth>* list = nullptr;
  for (const Growth& g : growth(samples, hold_limit(samples), draft.out.window.start, begun)) {
    const auto owner =
        std::ranges::find_if(lives, [&](PodId id) { return g.span.end <= draft.pod(id).life.end; });
    const PodId id = owner == lives.end() ? lives.back() : *owner;
    if (id != known) list = place(draft.engines[id.index()].models[model], s.series->meaning.role);
    known = id;
    if (list != nullptr) list->push_back(g);
  }
}

}  // namespace

void find_engines(Draft& draft) {
  draft.engines.resize(draft.out.pods.size());
  std::vector<std::string> lost;
  const auto all = engine_series(draft.sources.series);
  std::map<std::vector<PodId>, std::vector<const EngineSeries*>> of_lives;
  for (const EngineSeries& s : all) {
    auto lives = lives_of(draft, {draft.cluster_of(s.series->label("cluster")), s.pod.first, s.pod.second});
    if (lives.empty()) {
      if (s.series->meaning.role == Role::kOutputTokens) lost.push_back(model_label(*s.series));
      continue;
    }
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
                 "these tokens are not joined to money",
                 "scrape engines by a PodMonitor, so that namespace and pod labels are set",
                 std::move(lost)});
}

}  // namespace etiage::evidence
