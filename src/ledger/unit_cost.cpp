#include "ledger/unit_cost.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "ledger/workloads.h"

namespace etiage::ledger {
namespace {

// What an output token weighs against an input token where no phase times are known.
constexpr double kOutputWeight = 4;

std::optional<double> ratio(double money, double tokens) {
  return tokens > 0 ? std::optional(money / tokens * 1e6) : std::nullopt;
}

/// Nearest rank.
std::optional<double> percentile99(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

bool idle(Bucket b) {
  return b == Bucket::kUnallocated || b == Bucket::kStranded || b == Bucket::kCpuMemoryIdle;
}

Grade worst_grade(const Evidence& evidence, std::uint32_t pod, const std::vector<Grade>& grades) {
  return evidence.pods[pod].source == PodSource::kTwin ? Grade::kSimulated : grades[pod];
}

/// The worst grade of what says how busy each pod was, and of what it held.
std::vector<Grade> pod_grades(const Evidence& evidence, const Ledger& ledger) {
  std::vector<Grade> out(evidence.pods.size(), Grade::kMeasured);
  const auto lower = [&](PodId pod, Grade g) { out[pod.index()] = std::max(out[pod.index()], g); };
  for (const Holding& h : evidence.holdings)
    lower(h.pod, std::max(h.grade, ledger.nodes[h.node.index()].price_grade));
  std::vector<bool> measured(evidence.holdings.size());
  for (const Work& w : evidence.work) {
    lower(evidence.holdings[w.holding.index()].pod, w.grade);
    measured[w.holding.index()] = true;
  }
  for (std::size_t i = 0; i < measured.size(); ++i)
    if (!measured[i]) lower(evidence.holdings[i].pod, Grade::kDerived);
  return out;
}

}  // namespace

TokenCounts& TokenCounts::operator+=(const TokenCounts& o) {
  input += o.input, cached_input += o.cached_input, output += o.output;
  return *this;
}

std::vector<ModelWeights> model_weights(const Evidence& evidence) {
  std::vector<std::map<ModelId, long double>> tokens(evidence.pods.size());
  for (const Served& s : evidence.served)
    if (s.pod.valid() && s.model.valid())
      tokens[s.pod.index()][s.model] += s.input.count + s.cached_input.count + kOutputWeight * s.output.count;
  std::vector<ModelWeights> out(evidence.pods.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    long double sum = 0;
    for (const auto& [model, weight] : tokens[i]) sum += weight;
    if (tokens[i].size() > 1 && sum > 0) {
      for (const auto& [model, weight] : tokens[i]) out[i].emplace_back(model, weight / sum);
    } else if (evidence.pods[i].model.valid()) {
      out[i].emplace_back(evidence.pods[i].model, 1);
    }
  }
  return out;
}

std::vector<Money> borne_idle(const Evidence& evidence, const Ledger& ledger, IdleTo how) {
  std::vector<Money> out(evidence.pods.size());
  if (how == IdleTo::kSeparate) return out;
  std::map<std::string, Money> pool;  // by card type; of nodes without cards the empty one
  for (std::size_t n = 0; n < evidence.nodes.size(); ++n)
    for (std::size_t b = 0; b < kBucketCount; ++b)
      if (idle(static_cast<Bucket>(b))) pool[evidence.nodes[n].card] += ledger.nodes[n].buckets.of[b];
  std::map<std::string, std::vector<std::uint32_t>> bearers;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i)
    if (evidence.pods[i].node.valid() && ledger.pods[i].buckets.total().micro > 0) {
      const NodeLife& node = evidence.nodes[evidence.pods[i].node.index()];
      if (node.card.empty() || ledger.pods[i].gpu_hours > 0) bearers[node.card].push_back(i);
    }
  for (const auto& [card, pods] : bearers) {
    std::vector<long double> weights;
    for (auto i : pods)
      weights.push_back(
          how == IdleTo::kEven ? 1 : static_cast<long double>(ledger.pods[i].buckets.total().micro));
    const auto parts = split(pool[card], weights);
    for (std::size_t i = 0; i < pods.size(); ++i) out[pods[i]] = parts[i];
  }
  return out;
}

Money part_of(Money amount, const ModelWeights& weights, std::size_t i) {
  if (weights.size() == 1) return amount;
  std::vector<long double> w;
  for (const auto& [model, weight] : weights) w.push_back(weight);
  return split(amount, w)[i];
}

double UnitCost::prefill_part(double cached_weight) const {
  if (split_by_phase()) return prefill_seconds / (prefill_seconds + decode_seconds);
  const double input = tokens.input.count + cached_weight * tokens.cached_input.count;
  const double all = input + kOutputWeight * tokens.output.count;
  return all > 0 ? input / all : 0;
}

PerMillion UnitCost::per_million(double cached_weight) const {
  PerMillion out;
  if (!charged) return out;
  const double money = serving.units();
  out.full = ratio(money, tokens.all());
  out.usage = ratio(busy.units(), tokens.all());
  out.generated = ratio(money, tokens.output.count);
  const double weighted_input = tokens.input.count + cached_weight * tokens.cached_input.count;
  const double prefill = prefill_part(cached_weight);
  out.input = ratio(money * prefill, weighted_input);
  if (tokens.cached_input.count > 0) out.cached_input = out.input.value_or(0) * cached_weight;
  out.output = ratio(money * (1 - prefill), tokens.output.count);
  if (const auto peak = percentile99(saturated); peak && *peak > 0 && replica_hours > 0)
    out.saturated = money / replica_hours / 3600 / *peak * 1e6;
  return out;
}

std::optional<double> UnitCost::idle_tax() const {
  const PerMillion p = per_million();
  if (!p.full || !p.saturated || *p.saturated <= 0) return {};
  return *p.full / *p.saturated;
}

std::optional<double> UnitCost::coverage() const {
  if (serving.micro <= 0) return {};
  return static_cast<double>(with_tokens.micro) / static_cast<double>(serving.micro);
}

namespace {

/// Rows under construction.
class ModelRows {
 public:
  ModelRows(const Evidence& evidence, const Ledger& ledger, const std::vector<Money>& borne,
            const PodFilter& wanted)
      : evidence_(evidence),
        ledger_(ledger),
        borne_(borne),
        wanted_(wanted),
        weights_(model_weights(evidence)),
        counted_(evidence.pods.size()) {
    for (const Served& s : evidence.served) {
      if (!s.pod.valid() || !pod(s.pod).node.valid()) continue;
      if (counted_[s.pod.index()]) continue;
      counted_[s.pod.index()] = true;
      for (const auto& [model, w] : weights_[s.pod.index()]) told_.insert(key_of(model, s.pod));
    }
  }

  void add_pods() {
    const auto grades = pod_grades(evidence_, ledger_);
    for (std::uint32_t i = 0; i < evidence_.pods.size(); ++i)
      if (was_there(evidence_.pods[i], evidence_.window) && lists({i}))
        for (std::size_t m = 0; m < weights_[i].size(); ++m)
          add_pod({i}, m, worst_grade(evidence_, i, grades));
  }

  void add_tokens() {
    for (const Served& s : evidence_.served) {
      if (!s.pod.valid() || !s.model.valid() || !lists(s.pod)) continue;
      ModelRow& row = row_of(s.model, s.pod);
      if (!counts_in(row, s.pod)) continue;
      row.unit.tokens += {s.input, s.cached_input, s.output};
      row.unit.images += s.images;
      row.unit.prefill_seconds += s.prefill_seconds;
      row.unit.decode_seconds += s.decode_seconds;
    }
    for (const SaturatedRate& r : evidence_.saturated)
      if (r.model.valid() && lists(r.pod))
        if (ModelRow& row = row_of(r.model, r.pod); counts_in(row, r.pod))
          row.unit.saturated.push_back(r.tokens_per_second);
  }

  std::vector<ModelRow> take() {
    std::vector<ModelRow> out;
    for (auto& [key, row] : rows_) out.push_back(std::move(row));
    return out;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  ///< cluster, model's name, namespace

  const PodLife& pod(PodId id) const { return evidence_.pods[id.index()]; }
  bool lists(PodId id) const { return !wanted_ || wanted_(pod(id)); }
  Key key_of(ModelId model, PodId id) const {
    return {pod(id).cluster, evidence_.models[model.index()].name, pod(id).ns};
  }
  ModelRow& row_of(ModelId model, PodId id) {
    if (last_ != nullptr && last_of_ == std::pair(model, id)) return *last_;  // hour after hour
    ModelRow& row = rows_[key_of(model, id)];
    row.cluster = pod(id).cluster, row.ns = pod(id).ns, row.model = model;
    last_ = &row, last_of_ = {model, id};
    return row;
  }
  /// Tokens of servers without money would make the others' look cheap.
  bool counts_in(const ModelRow& row, PodId id) const {
    return !row.placed || pod(id).source != PodSource::kEngineSeries;
  }

  void add_pod(PodId id, std::size_t model, Grade grade) {
    const ModelWeights& weights = weights_[id.index()];
    const PodAccount& account = ledger_.pods[id.index()];
    ModelRow& row = row_of(weights[model].first, id);
    row.placed = true;
    UnitCost& unit = row.unit;
    unit.charged |= !evidence_.window.empty();
    const Money cost =
        part_of(account.buckets.total() + (borne_.empty() ? Money{} : borne_[id.index()]), weights, model);
    unit.cost += cost;
    unit.serving += cost;
    unit.busy += part_of(account.buckets[Bucket::kBusy], weights, model);
    // A worker has no counters of its own: its leader's tokens are evidence for both.
    const bool told_by_leader = !pod(id).leader && told_.contains(key_of(weights[model].first, id));
    if (counted_[id.index()] || told_by_leader) unit.with_tokens += cost;
    const auto weight = static_cast<double>(weights[model].second);
    if (pod(id).leader)
      unit.replica_hours += overlap(pod(id).life, evidence_.window).length().as_hours() * weight;
    unit.gpu_hours += account.gpu_hours * weight;
    unit.grade = std::max(unit.grade, grade);
  }

  const Evidence& evidence_;
  const Ledger& ledger_;
  const std::vector<Money>& borne_;
  const PodFilter& wanted_;
  std::vector<ModelWeights> weights_;
  std::vector<bool> counted_;  ///< pods that have token evidence
  std::set<Key> told_;         ///< models that have it
  std::map<Key, ModelRow> rows_;
  ModelRow* last_ = nullptr;  ///< that was asked for, and of whom
  std::pair<ModelId, PodId> last_of_;
};

}  // namespace

std::vector<ModelRow> model_rows(const Evidence& evidence, const Ledger& ledger,
                                 const std::vector<Money>& borne, const PodFilter& wanted) {
  ModelRows rows(evidence, ledger, borne, wanted);
  rows.add_pods();
  rows.add_tokens();
  return rows.take();
}

}  // namespace etiage::ledger
