#include "evidence/shared_work.h"

#include <algorithm>
#include <map>
#include <optional>

#include "evidence/busy.h"

namespace etiage::evidence {
namespace {

/// What a shared device's work is divided by: seconds with requests running, or else tokens, of a pod.
class Weight {
 public:
  explicit Weight(const EnginePod& engine) : known_(!engine.models.empty()), running_(running_share(engine)) {
    if (!running_.empty()) return;
    for (const auto& [name, counters] : engine.models)
      for (const auto* list : {&counters.prompt, &counters.output}) tokens_.push_back(rates(*list));
  }

  /// Nothing where no engine of the pod says anything.
  std::optional<double> in(Window span) const {
    if (!running_.empty()) return amount(running_, span);
    if (!known_) return {};
    double tokens = 0;
    for (const Segments& rate : tokens_) tokens += amount(rate, span);
    return tokens;
  }

 private:
  static double amount(const Segments& segments, Window span) {
    double out = 0;
    inside(segments, span, [&](Window w, double v) { out += w.length().as_seconds() * v; });
    return out;
  }

  bool known_;
  Segments running_;
  std::vector<Segments> tokens_;
};
using Weights = std::map<PodId, Weight>;

/// Divides `total` card-seconds by weight, nobody above its cap, the overflow passed on (RULES.md 12).
std::vector<double> divide(double total, const std::vector<double>& weights,
                           const std::vector<double>& caps) {
  std::vector<double> out(weights.size());
  std::vector<bool> full(weights.size());
  for (std::size_t round = 0; round < weights.size() && total > 1e-12; ++round) {
    double sum = 0, spilled = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += full[i] ? 0 : weights[i];
    if (sum <= 0) break;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (full[i]) continue;
      out[i] += total * weights[i] / sum;
      if (out[i] >= caps[i]) spilled += out[i] - caps[i], out[i] = caps[i], full[i] = true;
    }
    total = spilled;
  }
  return out;
}

/// Works of holders of one device in one interval: each reads the device's own busy share; where every holder
/// has a weight of its own the device's work is divided by it instead.
void divide_shared(const Draft& draft, const Weights& weight_of, std::vector<Work*>& group) {
  std::vector<double> weights, caps;
  double total = 0;
  for (Work* w : group) {
    const Holding& h = draft.out.holdings[w->holding.index()];
    const auto weight = weight_of.at(h.pod).in(w->span);
    if (!weight) return;
    weights.push_back(*weight);
    caps.push_back(h.share * w->measured_seconds);
    total = std::max(total, w->busy_seconds);
  }
  const auto parts = divide(total, weights, caps);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const double share = draft.out.holdings[group[i]->holding.index()].share;
    group[i]->busy_seconds = share > 0 ? std::min(parts[i] / share, group[i]->measured_seconds) : 0;
    group[i]->grade = std::max(grade_of(group[i]->signal), Grade::kDerived);
  }
}

}  // namespace

void share_out(const Draft& draft, std::vector<Work>& works) {
  for (Work& w : works) w.grade = Grade::kAssumed;
  std::map<std::pair<std::int64_t, BusySignal>, std::vector<Work*>> groups;
  Weights weights;
  for (Work& w : works) {
    groups[{w.span.start.ns, w.signal}].push_back(&w);
    const PodId pod = draft.out.holdings[w.holding.index()].pod;
    if (!weights.contains(pod)) weights.emplace(pod, Weight(draft.engines[pod.index()]));
  }
  for (auto& [key, group] : groups) divide_shared(draft, weights, group);
}

}  // namespace etiage::evidence
