// Tokens, phases and saturated rates by pod and model (RULES.md 3, 20 to 22).

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/parallel.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// Interned model names.
class Models {
 public:
  explicit Models(std::vector<ServedModel>& table) : table_(table) {}

  ModelId of(const std::string& name, bool by_engine) {
    if (name.empty()) return {};
    const auto [it, added] = ids_.try_emplace(name, ModelId{static_cast<std::uint32_t>(table_.size())});
    if (added) table_.push_back({name, by_engine});
    if (by_engine) table_[it->second.index()].named_by_engine = true;
    return it->second;
  }

 private:
  std::vector<ServedModel>& table_;
  std::map<std::string, ModelId> ids_;
};

/// Served by interval, as growth is spread over them.
class Intervals {
 public:
  Intervals(const Draft& draft, PodId pod, ModelId model)
      : pod_(pod),
        model_(model),
        ends_(interval_ends(draft.out.window, draft.request.cuts)),
        served_(std::max<std::size_t>(1, ends_.size() - 1)) {}

  template <class F>
  void spread(const Growths& list, F&& field, double factor = 1) {
    std::size_t at = 0;
    for (const Growth& g : list) {
      if (g.amount == 0) continue;
      if (ends_.size() == 1) field(in(0)) += factor * g.amount;
      over_intervals(ends_, g.span, at,
                     [&](Window, double part) { field(in(at)) += factor * g.amount * part; });
    }
  }

  /// Makes the first interval, whatever is spread.
  void begin() { in(0); }

  void move_into(std::vector<Served>& out) const {
    for (const auto& served : served_)
      if (served) out.push_back(*served);
  }

 private:
  /// A single moment is an interval too.
  Served& in(std::size_t interval) {
    auto& served = served_[interval];
    if (!served)
      served = Served{.pod = pod_,
                      .model = model_,
                      .span = {ends_[interval], ends_[std::min(interval + 1, ends_.size() - 1)]}};
    return *served;
  }

  PodId pod_;
  ModelId model_;
  std::vector<Instant> ends_;
  std::vector<std::optional<Served>> served_;
};

/// Whether its prompts came almost all from elsewhere.
bool takes_over(const EngineCounters& c) {
  return c.transferred.total() > 0 && c.computed.total() < 0.01 * c.transferred.total();
}

/// Which pods only decode. They take their prompts over from a prefill pool that has counted them already;
/// without a pool that computes prompts of the same model, what they take over comes from an outer cache.
class DecodePools {
 public:
  explicit DecodePools(const Draft& draft) : draft_(draft) {
    for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i)
      for (const auto& [name, c] : draft.engines[i].models)
        if (!says_so(i) && !takes_over(c) && c.computed.total() > 0) computing_.insert(key(i, name));
  }

  bool decodes(std::uint32_t pod, const std::string& model, const EngineCounters& c) const {
    return says_so(pod) || (takes_over(c) && computing_.contains(key(pod, model)));
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // cluster, namespace, model
  Key key(std::uint32_t pod, const std::string& model) const {
    return {draft_.out.pods[pod].cluster, draft_.out.pods[pod].ns, model};
  }
  bool says_so(std::uint32_t pod) const { return draft_.engines[pod].decodes || draft_.pods[pod].decodes; }

  const Draft& draft_;
  std::set<Key> computing_;
};

/// A prompt that another pool has counted counts here only as far as it was computed again.
void add_prompt(Intervals& at, const EngineCounters& c, bool decodes) {
  const auto input = [](Served& s) -> double& { return s.input.count; };
  const auto cached = [](Served& s) -> double& { return s.cached_input.count; };
  if (c.by_source()) {
    at.spread(c.computed, input);
    if (decodes) return;
    at.spread(c.cache_hits, cached);
    at.spread(c.transferred, cached);
    return;
  }
  if (decodes) return;
  at.spread(c.prompt, input);
  at.spread(c.cached, input, -1);
  at.spread(c.cached, cached);
}

/// What one pod served of one model.
struct PodModel {
  PodId pod;
  ModelId model;
  const EngineCounters* counters;
  bool decodes = false;
};

std::vector<Served> served_of(const Draft& draft, const PodModel& m) {
  const EngineCounters& c = *m.counters;
  Intervals at(draft, m.pod, m.model);
  if (draft.out.window.empty()) at.begin();  // a server that has served nothing yet is there all the same
  add_prompt(at, c, m.decodes);
  at.spread(c.output, [](Served& s) -> double& { return s.output.count; });
  if (!c.prefill.empty() && !c.decode.empty()) {  // one phase alone would bear all the money
    at.spread(c.prefill, [](Served& s) -> double& { return s.prefill_seconds; });
    at.spread(c.decode, [](Served& s) -> double& { return s.decode_seconds; });
  }
  at.spread(c.images, [](Served& s) -> double& { return s.images; });
  std::vector<Served> out;
  at.move_into(out);
  return out;
}

/// All tokens of the pod over each five minutes in most of which requests were waiting.
std::vector<SaturatedRate> saturated_of(const Draft& draft, PodId pod) {
  std::vector<SaturatedRate> out;
  const EnginePod& engine = draft.engines[pod.index()];
  if (draft.out.window.empty()) return out;
  const Segments waiting = sum(engine.waiting);
  if (waiting.empty()) return out;
  std::vector<Segments> parts;
  for (const auto& [name, c] : engine.models)
    for (const auto* list : {&c.prompt, &c.output}) parts.push_back(rates(*list));
  if (parts.empty()) return out;
  const Segments tokens = sum(parts);
  constexpr std::int64_t step = Duration::seconds(300).ns;
  const Window life = overlap(draft.pod(pod).life, draft.out.window);
  for (std::int64_t t = (life.start.ns + step - 1) / step * step; t + step <= life.end.ns; t += step) {
    const Window bin{{t}, {t + step}};
    double queued = 0, count = 0;
    inside(waiting, bin, [&](Window w, double v) { queued += v > 0 ? w.length().as_seconds() : 0; });
    if (queued <= 150) continue;
    inside(tokens, bin, [&](Window w, double v) { count += w.length().as_seconds() * v; });
    out.push_back({pod, draft.pod(pod).model, count / 300});
  }
  return out;
}

/// The model that most of a pod's tokens belong to names the pod.
std::string main_model(const EnginePod& engine) {
  std::string best;
  double most = -1;
  for (const auto& [name, c] : engine.models)
    if (const double tokens = c.prompt.total() + 4 * c.output.total() + c.computed.total(); tokens > most)
      best = name, most = tokens;
  return best;
}

/// Who served what, by pod, then by the engine's name for the model; names each pod's model on the way.
std::vector<PodModel> name_models(Draft& draft) {
  std::vector<PodModel> out;
  Models models(draft.out.models);
  const DecodePools pools(draft);
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {
    PodLife& pod = draft.out.pods[i];
    const EnginePod& engine = draft.engines[i];
    const std::string& declared = draft.pods[i].declared_model;
    const std::string& unnamed = declared.empty() ? pod.workload : declared;
    pod.counts_tokens = !engine.models.empty();
    for (const auto& [name, counters] : engine.models)
      out.push_back({{i},
                     models.of(name.empty() ? unnamed : name, !name.empty()),
                     &counters,
                     pools.decodes(i, name, counters)});
    if (!engine.models.empty()) {
      const std::string name = main_model(engine);
      pod.model = models.of(name.empty() ? unnamed : name, !name.empty());
    } else if (pod.devices.count > 0) {
      pod.model = models.of(declared, false);
    }
  }
  return out;
}

/// Workers belong to the model of their replica's leader; one Ray cluster may run several engines: each leads
/// its replica.
void follow_leaders(Draft& draft) {
  std::map<std::tuple<std::string, std::string, std::string>, ModelId> of_group;
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {
    PodLife& pod = draft.out.pods[i];
    if (draft.pods[i].replica_group.empty() || draft.engines[i].models.empty()) continue;
    of_group[{pod.cluster, pod.ns, draft.pods[i].replica_group}] = pod.model;
    pod.leader = true;
  }
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {
    PodLife& pod = draft.out.pods[i];
    const auto it = of_group.find({pod.cluster, pod.ns, draft.pods[i].replica_group});
    if (it == of_group.end() || !draft.engines[i].models.empty()) continue;
    pod.model = it->second;
    pod.leader = false;
  }
}

template <class T>
void append_all(std::vector<T>& to, const std::vector<std::vector<T>>& parts) {
  std::size_t size = to.size();
  for (const auto& part : parts) size += part.size();
  to.reserve(size);
  for (const auto& part : parts) to.insert(to.end(), part.begin(), part.end());
}

}  // namespace

void add_served(Draft& draft) {
  const auto pod_models = name_models(draft);
  std::vector<std::vector<Served>> served(pod_models.size());
  for_each_index(pod_models.size(), draft.request.threads,
                 [&](std::size_t i) { served[i] = served_of(draft, pod_models[i]); });
  append_all(draft.out.served, served);
  std::vector<std::vector<SaturatedRate>> saturated(draft.out.pods.size());
  for_each_index(saturated.size(), draft.request.threads, [&](std::size_t i) {
    const PodId pod{static_cast<std::uint32_t>(i)};
    if (draft.pod(pod).model.valid()) saturated[i] = saturated_of(draft, pod);
  });
  append_all(draft.out.saturated, saturated);
  follow_leaders(draft);
}

}  // namespace etiage::evidence
