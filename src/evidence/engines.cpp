// Engine series to the pods they belong to: by the pod's identity, never by the model's name (RULES.md 22).

#include "evidence/engines.h"

#include <algorithm>

#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

bool of_engine(Role role) {
  return role >= Role::kPromptTokens && role <= Role::kImages;
}

/// Where a counter's growth goes.
std::vector<Growth>* place(EngineCounters& c, const Series& s) {
  switch (s.meaning.role) {
    case Role::kPromptTokens:
      return &c.prompt;
    case Role::kCachedTokens:
      return s.label("cache_source") == "total" ? nullptr : &c.cached;
    case Role::kOutputTokens:
      return &c.output;
    case Role::kPrefillSeconds:
      return &c.prefill;
    case Role::kDecodeSeconds:
      return &c.decode;
    case Role::kImages:
      return &c.images;
    case Role::kPromptTokensBySource:
      c.by_source = true;
      if (s.label("source") == "local_compute") return &c.computed;
      if (s.label("source") == "local_cache_hit") return &c.cache_hits;
      if (s.label("source") == "external_kv_transfer") return &c.transferred;
      return nullptr;
    default:
      return nullptr;
  }
}

std::string model_label(const Series& s) {
  for (std::string_view name : {"model_name", "model", "model_id"})
    if (s.has(name)) return std::string(s.label(name));
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

void add_gauge(Draft& draft, const std::vector<PodId>& lives, const Series& s) {
  const auto samples = s.samples();
  Segments segments = held(samples, hold_limit(samples));
  for (PodId id : lives) {
    Segments mine;
    inside(segments, draft.pod(id).life, [&](Window w, double v) { mine.push_back({w, v}); });
    auto& list = s.meaning.role == Role::kRunning ? draft.engines[id.index()].running
                                                  : draft.engines[id.index()].waiting;
    if (!mine.empty()) list.push_back(std::move(mine));
  }
}

void add_counter(Draft& draft, const std::vector<PodId>& lives, const Series& s) {
  const auto samples = s.samples();
  std::vector<Instant> begun;
  for (PodId id : lives)
    begun.insert(begun.end(), draft.pods[id.index()].begun.begin(), draft.pods[id.index()].begun.end());
  const std::string model = model_label(s);
  PodId known;
  std::vector<Growth>* list = nullptr;
  for (const Growth& g : growth(samples, hold_limit(samples), draft.out.window.start, begun)) {
    const auto owner =
        std::ranges::find_if(lives, [&](PodId id) { return g.span.end <= draft.pod(id).life.end; });
    const PodId id = owner == lives.end() ? lives.back() : *owner;
    if (id != known) list = place(draft.engines[id.index()].models[model], s);
    known = id;
    if (list != nullptr) list->push_back(g);
  }
}

}  // namespace

void find_engines(Draft& draft) {
  draft.engines.resize(draft.out.pods.size());
  std::vector<std::string> lost;
  for (const Series& s : draft.sources.series.all()) {
    if (!of_engine(s.meaning.role)) continue;
    const PodName who = pod_of(s);
    const auto lives = lives_of(draft, {draft.cluster_of(s.label("cluster")), who.first, who.second});
    if (lives.empty()) {
      if (s.meaning.role == Role::kOutputTokens) lost.push_back(model_label(s));
      continue;
    }
    if (s.meaning.role == Role::kRunning || s.meaning.role == Role::kWaiting) {
      add_gauge(draft, lives, s);
    } else {
      add_counter(draft, lives, s);
    }
  }
  if (!lost.empty())
    draft.check({"tokens-without-pod", Severity::kWarning, "token counters that name no known pod",
                 "these tokens are not joined to money",
                 "scrape engines by a PodMonitor, so that namespace and pod labels are set",
                 std::move(lost)});
}

}  // namespace etiage::evidence
