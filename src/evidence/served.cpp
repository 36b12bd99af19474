// Tokens, phases and saturated rates by pod and model (RULES.md 3, 20 to 22).

#include <algorithm>
#include <cmath>
#include <set>

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
      : pod_(pod), model_(model), ends_(interval_ends(draft.out.window, draft.request.cuts)) {}

  template <class F>
  void spread(const std::vector<Growth>& list, F&& field, double factor = 1) {
    for (const Growth& g : list) {
      if (g.amount == 0) continue;
      if (ends_.size() == 1) field(at_interval(ends_.front(), ends_.front())) += factor * g.amount;
      over_intervals(ends_, g.span, [&](Window interval, double part) {
        field(at_interval(interval.start, interval.end)) += factor * g.amount * part;
      });
    }
  }

  /// Makes the first interval, whatever is spread.
  void begin() { at_interval(ends_.front(), ends_.size() > 1 ? ends_[1] : ends_.front()); }

  void move_into(std::vector<Served>& out) {
    for (auto& [start, served] : by_start_) out.push_back(served);
  }

 private:
  /// Growth comes in order of time: mostly it is the interval of the one before.
  Served& at_interval(Instant start, Instant end) {
    if (last_ != nullptr && last_->span.start == start) return *last_;
    last_ = &by_start_[start.ns];
    last_->pod = pod_;
    last_->model = model_;
    last_->span = {start, end};
    return *last_;
  }

  PodId pod_;
  ModelId model_;
  std::vector<Instant> ends_;
  std::map<std::int64_t, Served> by_start_;
  Served* last_ = nullptr;
};

double total(const std::vector<Growth>& list) {
  double sum = 0;
  for (const Growth& g : list) sum += g.amount;
  return sum;
}

/// Whether its prompts came almost all from elsewhere.
bool takes_over(const EngineCounters& c) {
  return total(c.transferred) > 0 && total(c.computed) < 0.01 * total(c.transferred);
}

/// Which pods only decode. They take their prompts over from a prefill pool that has counted them already;
/// without a pool that computes prompts of the same model, what they take over comes from an outer cache.
class DecodePools {
 public:
  explicit DecodePools(const Draft& draft) : draft_(draft) {
    for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i)
      for (const auto& [name, c] : draft.engines[i].models)
        if (!says_so(i) && !takes_over(c) && total(c.computed) > 0) computing_.insert(key(i, name));
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

void add_model(Draft& draft, PodId pod, ModelId model, const EngineCounters& c, bool decodes) {
  Intervals at(draft, pod, model);
  if (draft.out.window.empty()) at.begin();  // a server that has served nothing yet is there all the same
  add_prompt(at, c, decodes);
  at.spread(c.output, [](Served& s) -> double& { return s.output.count; });
  if (!c.prefill.empty() && !c.decode.empty()) {  // one phase alone would bear all the money
    at.spread(c.prefill, [](Served& s) -> double& { return s.prefill_seconds; });
    at.spread(c.decode, [](Served& s) -> double& { return s.decode_seconds; });
  }
  at.spread(c.images, [](Served& s) -> double& { return s.images; });
  at.move_into(draft.out.served);
}

/// All tokens of the pod over each five minutes in most of which requests were waiting.
void add_saturated(Draft& draft, PodId pod, ModelId model) {
  const EnginePod& engine = draft.engines[pod.index()];
  if (engine.waiting.empty() || draft.out.window.empty()) return;
  const Segments waiting = sum(engine.waiting);
  std::vector<Segments> parts;
  for (const auto& [name, c] : engine.models)
    for (const auto* list : {&c.prompt, &c.output}) parts.push_back(rates(*list));
  if (parts.empty()) return;
  const Segments tokens = sum(parts);
  constexpr std::int64_t step = Duration::seconds(300).ns;
  const Window life = overlap(draft.pod(pod).life, draft.out.window);
  for (std::int64_t t = (life.start.ns + step - 1) / step * step; t + step <= life.end.ns; t += step) {
    const Window bin{{t}, {t + step}};
    double queued = 0, count = 0;
    inside(waiting, bin, [&](Window w, double v) { queued += v > 0 ? w.length().as_seconds() : 0; });
    if (queued <= 150) continue;
    inside(tokens, bin, [&](Window w, double v) { count += w.length().as_seconds() * v; });
    draft.out.saturated.push_back({pod, model, count / 300});
  }
}

/// The model that most of a pod's tokens belong to names the pod.
std::string main_model(const EnginePod& engine) {
  std::string best;
  double most = -1;
  for (const auto& [name, c] : engine.models)
    if (const double tokens = total(c.prompt) + 4 * total(c.output) + total(c.computed); tokens > most)
      best = name, most = tokens;
  return best;
}

}  // namespace

void add_served(Draft& draft) {
  Models models(draft.out.models);
  const DecodePools pools(draft);
  std::map<std::tuple<std::string, std::string, std::string>, ModelId> of_group;
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {
    PodLife& pod = draft.out.pods[i];
    const EnginePod& engine = draft.engines[i];
    const std::string& declared = draft.pods[i].declared_model;
    pod.counts_tokens = !engine.models.empty();
    for (const auto& [name, counters] : engine.models) {
      const std::string shown = !name.empty() ? name : !declared.empty() ? declared : pod.workload;
      add_model(draft, {i}, models.of(shown, !name.empty()), counters, pools.decodes(i, name, counters));
    }
    if (!engine.models.empty()) {
      const std::string name = main_model(engine);
      pod.model = models.of(!name.empty()       ? name
                            : !declared.empty() ? declared
                                                : pod.workload,
                            !name.empty());
    } else if (pod.devices.count > 0) {
      pod.model = models.of(declared, false);
    }
    if (pod.model.valid()) add_saturated(draft, {i}, pod.model);
    if (draft.pods[i].replica_group.empty() || engine.models.empty()) continue;
    of_group[{pod.cluster, pod.ns, draft.pods[i].replica_group}] = pod.model;
    pod.leader = true;  // one Ray cluster may run several engines: each leads its replica
  }
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i) {  // workers belong to the leader's model
    PodLife& pod = draft.out.pods[i];
    const auto it = of_group.find({pod.cluster, pod.ns, draft.pods[i].replica_group});
    if (it == of_group.end() || !draft.engines[i].models.empty()) continue;
    pod.model = it->second;
    pod.leader = false;
  }
}

}  // namespace etiage::evidence
