#include "ledger/unit_cost.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

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
  const double money = cost.units();
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

std::vector<ModelRow> model_rows(const Evidence& evidence, const Ledger& ledger,
                                 const std::vector<Money>& borne) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, ModelRow> rows;
  const auto row_of = [&](ModelId model, PodId pod) -> UnitCost& {
    const PodLife& p = evidence.pods[pod.index()];
    ModelRow& row = rows[{p.cluster, evidence.models[model.index()].name, p.ns}];
    row.cluster = p.cluster, row.ns = p.ns, row.model = model;
    return row.unit;
  };
  const auto weights = model_weights(evidence);
  const auto grades = pod_grades(evidence, ledger);
  std::set<PodId> counted;
  for (const Served& s : evidence.served)
    if (s.pod.valid()) counted.insert(s.pod);
  std::set<std::tuple<std::string, std::string, std::uint32_t>>
      told;  // models that have tokens in a namespace
  for (PodId pod : counted) {
    for (const auto& [model, w] : weights[pod.index()])
      told.emplace(evidence.pods[pod.index()].cluster, evidence.pods[pod.index()].ns, model.value);
  }
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const PodLife& pod = evidence.pods[i];
    if (!pod.node.valid() || overlap(pod.life, evidence.window).empty() != evidence.window.empty()) continue;
    for (std::size_t m = 0; m < weights[i].size(); ++m) {
      UnitCost& unit = row_of(weights[i][m].first, {i});
      const Money whole = ledger.pods[i].buckets.total() + (borne.empty() ? Money{} : borne[i]);
      const Money cost = part_of(whole, weights[i], m);
      unit.cost += cost;
      unit.busy += part_of(ledger.pods[i].buckets[Bucket::kBusy], weights[i], m);
      unit.serving += cost;
      // A worker has no counters of its own: its leader's tokens are evidence for both.
      const bool told_by_leader =
          !pod.leader && told.contains({pod.cluster, pod.ns, weights[i][m].first.value});
      if (counted.contains({i}) || told_by_leader) unit.with_tokens += cost;
      if (pod.leader)
        unit.replica_hours += overlap(pod.life, evidence.window).length().as_hours() *
                              static_cast<double>(weights[i][m].second);
      unit.gpu_hours += ledger.pods[i].gpu_hours * static_cast<double>(weights[i][m].second);
      unit.grade = std::max(unit.grade, worst_grade(evidence, i, grades));
    }
  }
  for (const Served& s : evidence.served) {
    if (!s.pod.valid() || !s.model.valid()) continue;
    UnitCost& unit = row_of(s.model, s.pod);
    unit.tokens += {s.input, s.cached_input, s.output};
    unit.images += s.images;
    unit.prefill_seconds += s.prefill_seconds;
    unit.decode_seconds += s.decode_seconds;
  }
  for (const SaturatedRate& r : evidence.saturated)
    if (r.model.valid()) row_of(r.model, r.pod).saturated.push_back(r.tokens_per_second);
  std::vector<ModelRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  return out;
}

}  // namespace etiage::ledger
