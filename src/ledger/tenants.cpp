#include "ledger/tenants.h"

#include <algorithm>
#include <map>

namespace etiage::ledger {
namespace {

using Kind = Dimension::Kind;

/// What one tenant has of a model's tokens, each kind a part of the whole.
struct Parts {
  double input = 0, cached_input = 0, output = 0;
};

double ratio(double of, double whole) {
  return whole > 0 ? of / whole : 0;
}

/// One model's tokens in one span of time (all of the window, an hour, a day).
struct Tally {
  UnitCost engine;
  std::map<TenantId, TokenCounts> tenants;  ///< not valid: nameless
  TokenCounts gateway;                      ///< their sum
  Money cost;                               ///< of the rows to divide
  double cached_part = 0;  ///< of the engine's input, where only the gateway tells what was cached

  /// An engine that tells no cached tokens counts them as computed: what the gateway says was cached is
  /// moved.
  void move_cached() {
    TokenCounts& e = engine.tokens;
    if (e.cached_input.count > 0 || e.input.count == 0) return;
    const double moved = std::min(gateway.cached_input.count, e.input.count);
    cached_part = moved / e.input.count;
    e.input.count -= moved, e.cached_input.count += moved;
  }

  double weighted_input(const TokenCounts& t, double cached_weight) const {
    return t.input.count + cached_weight * t.cached_input.count;
  }

  Parts parts(const TokenCounts& t) const {
    const TokenCounts& e = engine.tokens;
    return {ratio(t.input.count, std::max(e.input.count, gateway.input.count)),
            ratio(t.cached_input.count, std::max(e.cached_input.count, gateway.cached_input.count)),
            ratio(t.output.count, std::max(e.output.count, gateway.output.count))};
  }

  /// The part of the model's money that these tokens bear.
  double money_part(const TokenCounts& t, double cached_weight) const {
    const double whole_in =
        std::max(weighted_input(engine.tokens, cached_weight), weighted_input(gateway, cached_weight));
    const double whole_out = std::max(engine.tokens.output.count, gateway.output.count);
    const double in = ratio(weighted_input(t, cached_weight), whole_in),
                 out = ratio(t.output.count, whole_out);
    if (whole_in == 0) return out;
    if (whole_out == 0) return in;
    UnitCost split = engine;
    if (split.tokens.all() == 0) split.tokens = gateway;
    const double prefill = split.prefill_part(cached_weight);
    return prefill * in + (1 - prefill) * out;
  }
};

bool is_time(const Dimension& d) {
  return d.kind == Kind::kHour || d.kind == Kind::kDay;
}

class Division {
 public:
  Division(const Evidence& evidence, const std::vector<Dimension>& by, double cached_weight)
      : evidence_(evidence), by_(by), cached_weight_(cached_weight) {
    for (const Dimension& d : by)
      if (is_time(d) && (!time_ || d.kind == Kind::kHour)) time_ = d;
    for (const Served& s : evidence.served) {
      if (!s.model.valid() || !s.pod.valid()) continue;
      UnitCost& e = tally(s.model, s.span.start).engine;
      e.tokens += {s.input, s.cached_input, s.output};
      e.prefill_seconds += s.prefill_seconds, e.decode_seconds += s.decode_seconds;
    }
    for (const TenantUse& u : evidence.tenant_uses) {
      Tally& t = tally(u.model, u.span.start);
      const TokenCounts tokens{u.input, u.cached_input, u.output};
      t.tenants[u.tenant] += tokens, t.gateway += tokens;
    }
    for (auto& [key, t] : tallies_) {
      TenantModel& m = models_[key.first];
      m.model = key.first;
      m.engine += t.engine.tokens, m.gateway += t.gateway;
      t.move_cached();
    }
  }

  /// The keys of the rows to divide: the model's name first.
  std::vector<Dimension> inner() const {
    std::vector<Dimension> out{{Kind::kModel, ""}};
    std::ranges::copy_if(by_, std::back_inserter(out), [](const auto& d) { return d.kind != Kind::kTenant; });
    return out;
  }

  /// To be called for all rows before the first is divided.
  void see(const BreakdownRow& row) {
    models_[row.key[0]].model = row.key[0];
    models_[row.key[0]].cost += row.unit.cost;
    tallies_[{row.key[0], time_of(row)}].cost += row.unit.cost;
  }

  void divide(const BreakdownRow& row) {
    const Tally& tally = tallies_.at({row.key[0], time_of(row)});
    std::vector<TenantId> who;
    std::vector<long double> weights;
    double left = 1;
    for (const auto& [tenant, tokens] : tally.tenants) {
      if (!tenant.valid()) continue;
      who.push_back(tenant);
      weights.push_back(tally.money_part(tokens, cached_weight_));
      left -= static_cast<double>(weights.back());
    }
    who.emplace_back();
    weights.push_back(left > 1e-12 ? left : 0);
    hand_out(row, tally, who, weights);
  }

  TenantBill take() {
    TenantBill out;
    for (auto& [key, row] : rows_) out.rows.push_back(std::move(row));
    for (auto& [name, model] : models_) out.models.push_back(std::move(model));
    return out;
  }

 private:
  Tally& tally(ModelId model, Instant t) {
    return tallies_[{evidence_.models[model.index()].name, time_ ? time_key(*time_, t) : ""}];
  }
  std::string time_of(const BreakdownRow& row) const {
    if (!time_) return "";
    const auto keys = inner();
    return row.key[static_cast<std::size_t>(std::ranges::find(keys, *time_) - keys.begin())];
  }

  BreakdownRow& row_of(TenantId tenant, const BreakdownRow& from) {
    std::vector<std::string> key;
    auto next = from.key.begin() + 1;
    for (const Dimension& d : by_)
      key.push_back(d.kind != Kind::kTenant ? *next++
                    : tenant.valid()        ? evidence_.tenants[tenant.index()]
                                            : "");
    BreakdownRow& out = rows_[{!tenant.valid(), key}];
    out.key = key;
    out.unattributed = !tenant.valid();
    return out;
  }

  void hand_out(const BreakdownRow& row, const Tally& tally, const std::vector<TenantId>& who,
                const std::vector<long double>& weights) {
    std::vector<BreakdownRow*> to;
    for (TenantId tenant : who) to.push_back(&row_of(tenant, row));
    const auto share = [&](Money amount, auto&& into) {
      const auto parts = split(amount, weights);
      for (std::size_t i = 0; i < to.size(); ++i) into(*to[i]) += parts[i];
      return parts.back();
    };
    Money left;
    for (std::size_t b = 0; b < kBucketCount; ++b)
      left += share(row.buckets.of[b], [b](BreakdownRow& r) -> Money& { return r.buckets.of[b]; });
    left += share(row.borne, [](BreakdownRow& r) -> Money& { return r.borne; });
    models_[row.key[0]].attributed += row.unit.cost - left;
    share(row.unit.serving, [](BreakdownRow& r) -> Money& { return r.unit.serving; });
    share(row.unit.with_tokens, [](BreakdownRow& r) -> Money& { return r.unit.with_tokens; });
    const UnitCost use = told_use(row, tally);
    Parts rest{1, 1, 1};
    for (std::size_t i = 0; i < to.size(); ++i) {
      const bool last = i + 1 == to.size();
      const Parts p = last ? rest : tally.parts(tally.tenants.at(who[i]));
      rest = {rest.input - p.input, rest.cached_input - p.cached_input, rest.output - p.output};
      add_use(to[i]->unit, use, p, static_cast<double>(weights[i]));
    }
    for (BreakdownRow* r : to) {
      r->unit.cost = r->buckets.total() + r->borne;
      r->unit.busy = r->buckets[Bucket::kBusy];
    }
  }

  /// The row's tokens with the cached ones told apart; where the engine counts nothing, the gateway's tokens,
  /// divided between rows as the money is.
  static UnitCost told_use(const BreakdownRow& row, const Tally& tally) {
    UnitCost out = row.unit;
    const double moved = out.tokens.input.count * tally.cached_part;
    out.tokens.input.count -= moved, out.tokens.cached_input.count += moved;
    if (tally.engine.tokens.all() > 0) return out;
    const double part =
        ratio(static_cast<double>(row.unit.cost.micro), static_cast<double>(tally.cost.micro));
    const TokenCounts& all = tally.gateway;
    out.tokens = {{all.input.count * part}, {all.cached_input.count * part}, {all.output.count * part}};
    return out;
  }

  static void add_use(UnitCost& to, const UnitCost& from, const Parts& p, double weight) {
    const auto of = [](Tokens t, double part) { return Tokens{t.count * std::max(part, 0.0)}; };
    to.tokens += {of(from.tokens.input, p.input), of(from.tokens.cached_input, p.cached_input),
                  of(from.tokens.output, p.output)};
    to.prefill_seconds += from.prefill_seconds * std::max(p.input, 0.0);
    to.decode_seconds += from.decode_seconds * std::max(p.output, 0.0);
    to.gpu_hours += from.gpu_hours * weight;
    to.images += from.images * weight;
    to.charged |= from.charged;
    to.grade = std::max({to.grade, from.grade, from.split_by_phase() ? Grade::kDerived : Grade::kAssumed});
  }

  const Evidence& evidence_;
  const std::vector<Dimension>& by_;
  double cached_weight_;
  std::optional<Dimension> time_;
  std::map<std::pair<std::string, std::string>, Tally> tallies_;  ///< by model and time
  std::map<std::string, TenantModel> models_;
  std::map<std::pair<bool, std::vector<std::string>>, BreakdownRow> rows_;  ///< unattributed last
};

}  // namespace

bool TenantModel::scaled() const {
  const double prompts =
      gateway.input.count + (engine.cached_input.count > 0 ? 0 : gateway.cached_input.count);
  return engine.all() > 0 && (prompts > engine.input.count || gateway.output.count > engine.output.count);
}

TenantBill divide_by_tenants(const Evidence& evidence, const Ledger& ledger, const std::vector<Dimension>& by,
                             const std::vector<Money>& borne, const PodFilter& wanted, double cached_weight) {
  Division division(evidence, by, cached_weight);
  auto rows = breakdown(evidence, ledger, division.inner(), borne, wanted);
  std::erase_if(rows, [](const BreakdownRow& row) { return row.unattributed || row.key[0].empty(); });
  for (const BreakdownRow& row : rows) division.see(row);
  for (const BreakdownRow& row : rows) division.divide(row);
  return division.take();
}

}  // namespace etiage::ledger
