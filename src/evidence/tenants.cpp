// Whom the models served: gateways' logs, and where there are none their counters, by tenant and interval.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "base/counted.h"
#include "evidence/draft.h"
#include "evidence/gateway_names.h"
#include "evidence/gateway_series.h"

namespace etiage::evidence {
namespace {

/// Tokens of the engines, by model.
struct EngineTokens {
  double input = 0, cached = 0, output = 0;

  double prompts() const { return input + cached; }
  /// The part of prompts that the engine had cached, for logs that do not tell.
  double cached_part() const { return prompts() > 0 ? cached / prompts() : 0; }
};

std::vector<std::pair<std::string, ModelId>> declared_names(const Draft& draft) {
  std::vector<std::pair<std::string, ModelId>> out;
  for (std::size_t i = 0; i < draft.pods.size(); ++i)
    if (draft.out.pods[i].model.valid())
      out.emplace_back(draft.pods[i].declared_model, draft.out.pods[i].model);
  return out;
}

class Gathering {
 public:
  explicit Gathering(Draft& draft)
      : draft_(draft),
        log_(draft.sources.gateway),
        models_(draft.out.models, declared_names(draft), draft.request.model_aliases),
        ends_(interval_ends(draft.out.window, draft.request.cuts)) {
    for (const Served& s : draft.out.served)
      if (s.model.valid()) {
        EngineTokens& e = engine_[s.model];
        e.input += s.input.count, e.cached += s.cached_input.count, e.output += s.output.count;
      }
    counters_ = gateway_series(draft.sources.series);
    for (const GatewayCaller& c : log_.callers) tenants_.see(c);
    for (const GatewayModelName& m : log_.models) models_.see(m);
    for (const Series* s : counters_) tenants_.see(caller_of(*s)), models_.see(asked_model(*s));
  }

  void run() {
    add_log();
    add_counters();
    for (auto& [key, use] : uses_) {
      use.input.count = std::max(use.input.count, 0.0);
      draft_.out.tenant_uses.push_back(use);
    }
    for (auto& [name, model] : named_) draft_.out.gateway_models.push_back(model);
    check_log();
    check_models();
    check_tokens();
  }

 private:
  TenantId tenant(const GatewayCaller& caller) {
    const std::string name = tenants_.name(caller);
    if (name.empty()) return {};
    const auto [it, added] =
        tenant_ids_.try_emplace(name, TenantId{static_cast<std::uint32_t>(draft_.out.tenants.size())});
    if (added) draft_.out.tenants.push_back(name);
    return it->second;
  }

  GatewayModel& named(const GatewayModelName& name, ModelId id) {
    const std::string& shown = name.asked.empty() ? name.served : name.asked;
    GatewayModel& out = named_[{shown, id}];
    out.name = shown, out.model = id;
    return out;
  }

  TenantUse& use(ModelId model, Window interval, TenantId tenant) {
    TenantUse& out = uses_[{model, interval.start, tenant}];
    out.tenant = tenant, out.model = model, out.span = interval;
    return out;
  }

  void add_log() {
    std::vector<TenantId> tenant_of;
    for (const GatewayCaller& c : log_.callers) tenant_of.push_back(tenant(c));
    std::vector<ModelId> model_of;
    for (const GatewayModelName& m : log_.models) model_of.push_back(models_.find(m));
    std::set<ModelId> tell_cached;  // a log that has no cached token anywhere does not tell
    for (const GatewayRequest& r : log_.requests)
      if (r.cached > 0) tell_cached.insert(model_of[r.model]);
    for (const GatewayRequest& r : log_.requests) {
      const GatewayModelName& name = log_.models[r.model];
      const ModelId model = model_of[r.model];
      const bool told = r.cached >= 0 && tell_cached.contains(model);
      const double cached = told ? r.cached : r.input * engine_[model].cached_part();
      bool inside = false;
      over_intervals(ends_, r.time, [&](Window interval, double part) {
        inside = true;
        GatewayModel& sums = named(name, model);
        sums.requests += part, sums.input.count += part * r.input, sums.output.count += part * r.output;
        if (!model.valid()) return;
        logged_.insert(model);
        TenantUse& u = use(model, interval, tenant_of[r.caller]);
        u.input.count += part * (r.input - cached);
        u.cached_input.count += part * cached;
        u.output.count += part * r.output;
      });
      outside_ += inside ? 0 : 1;
    }
  }

  /// The model of the cluster, else the gateway's name for it.
  std::string told_apart(const GatewayModelName& name) const {
    const ModelId model = models_.find(name);
    if (model.valid()) return draft_.out.models[model.index()].name;
    return name.asked.empty() ? name.served : name.asked;
  }

  /// Of several gateways on the way to one model, the counters of the one that is nearest to the caller.
  void keep_nearest() {
    std::map<std::string, int> nearest;  // rank by model
    for (const Series* s : counters_) {
      const int rank = rank_of_gateway(s->meaning.dialect);
      const auto [it, added] = nearest.try_emplace(told_apart(asked_model(*s)), rank);
      if (!added) it->second = std::min(it->second, rank);
    }
    std::erase_if(counters_, [&](const Series* s) {
      return rank_of_gateway(s->meaning.dialect) > nearest[told_apart(asked_model(*s))];
    });
  }

  /// The moments before which no container of the gateway's pod can have started.
  std::vector<Instant> begun(const Series& s) const {
    std::vector<Instant> out;
    const PodName who = pod_of(s);
    const auto [from, to] =
        draft_.lives.equal_range({draft_.cluster_of(s.label("cluster")), who.first, who.second});
    for (auto it = from; it != to; ++it) {
      const auto& more = draft_.pods[it->second.index()].begun;
      out.insert(out.end(), more.begin(), more.end());
    }
    return out;
  }

  void add_counters() {
    keep_nearest();
    std::set<ModelId> tell_cached;
    for (const Series* s : counters_)
      if (s->meaning.role == Role::kGatewayCached &&
          std::ranges::any_of(s->samples(), [](const formats::Sample& v) { return v.value > 0; }))
        tell_cached.insert(models_.find(asked_model(*s)));
    for (const Series* s : counters_) {
      const GatewayModelName name = asked_model(*s);
      const ModelId model = models_.find(name);
      if (name.asked.empty() && name.served.empty()) continue;
      if (logged_.contains(model)) {
        passed_over_.insert(draft_.out.models[model.index()].name);
        continue;
      }
      const auto samples = s->samples();
      const double cached = tell_cached.contains(model) ? 0 : engine_[model].cached_part();
      for (const Growth& g : growth(samples, hold_limit(samples), draft_.out.window.start, begun(*s)))
        over_intervals(ends_, g.span, [&](Window interval, double part) {
          add_growth(*s, name, model, interval, g.amount * part, cached);
        });
    }
  }

  void add_growth(const Series& s, const GatewayModelName& name, ModelId model, Window interval,
                  double amount, double cached) {
    if (amount == 0) return;
    GatewayModel& sums = named(name, model);
    const Role role = s.meaning.role;
    (role == Role::kGatewayOutput ? sums.output : sums.input).count +=
        role == Role::kGatewayCached ? 0 : amount;
    if (!model.valid()) return;
    TenantUse& u = use(model, interval, tenant(caller_of(s)));
    if (role == Role::kGatewayOutput) {
      u.output.count += amount;
    } else if (role == Role::kGatewayCached) {
      u.input.count -= amount, u.cached_input.count += amount;
    } else {
      u.input.count += amount * (1 - cached), u.cached_input.count += amount * cached;
    }
  }

  void check_log();
  void check_models();
  void check_tokens();

  Draft& draft_;
  const GatewayLog& log_;
  TenantNames tenants_;
  ModelNames models_;
  std::vector<Instant> ends_;
  std::vector<const Series*> counters_;
  std::map<ModelId, EngineTokens> engine_;
  std::map<std::string, TenantId> tenant_ids_;
  std::map<std::tuple<ModelId, Instant, TenantId>, TenantUse> uses_;
  std::map<std::pair<std::string, ModelId>, GatewayModel> named_;
  std::set<ModelId> logged_;           ///< models that logs speak of in the window
  std::set<std::string> passed_over_;  ///< models whose counters are not used beside their log
  std::size_t outside_ = 0;            ///< rows of logs outside the window
};

void Gathering::check_log() {
  if (log_.repeated > 0)
    draft_.check({"gateway-repeated",
                  Severity::kInfo,
                  counted(log_.repeated, "row of gateway logs is a copy of another",
                          "rows of gateway logs are copies of others"),
                  "each request counts once",
                  "nothing, if exports overlap",
                  {}});
  if (outside_ > 0)
    draft_.check(
        {"gateway-outside-window",
         outside_ == log_.requests.size() ? Severity::kWarning : Severity::kInfo,
         fmt::format("{} of {} rows of gateway logs lie outside the window", outside_, log_.requests.size()),
         "they are in no tenant's bill here",
         "times without an offset are read as UTC",
         {}});
  if (!passed_over_.empty())
    draft_.check({"gateway-counters-unused",
                  Severity::kInfo,
                  "a gateway's log and its counters tell of the same models",
                  "the log is used, the counters are not",
                  "",
                  {passed_over_.begin(), passed_over_.end()}});
}

void Gathering::check_models() {
  std::vector<std::string> unknown;
  std::set<ModelId> told;
  for (const GatewayModel& m : draft_.out.gateway_models) {
    told.insert(m.model);
    if (!m.model.valid() && m.input.count + m.output.count > 0)
      unknown.push_back(fmt::format("{} ({:.0f} tokens)", m.name, m.input.count + m.output.count));
  }
  if (unknown.empty()) return;
  const bool wanted = std::ranges::any_of(engine_, [&](const auto& e) {
    return e.first.valid() && e.second.output > 0 && !told.contains(e.first);
  });
  draft_.check(
      {"gateway-models-unmatched", wanted ? Severity::kWarning : Severity::kInfo,
       "gateways name " + counted(unknown.size(), "model that this cluster does not serve by that name",
                                  "models that this cluster does not serve by these names"),
       "their tokens are in no tenant's bill here",
       "for a model that is served here under another name: --model-alias GATEWAY=MODEL",
       std::move(unknown)});
}

/// Compares what gateways counted with what engines counted, by model.
void Gathering::check_tokens() {
  std::map<ModelId, EngineTokens> told;
  double nameless = 0;
  for (const TenantUse& u : draft_.out.tenant_uses) {
    EngineTokens& t = told[u.model];
    t.input += u.input.count, t.cached += u.cached_input.count, t.output += u.output.count;
    if (!u.tenant.valid()) nameless += u.input.count + u.cached_input.count + u.output.count;
  }
  std::vector<std::string> above, below, silent;
  for (const auto& [model, t] : told) {
    const EngineTokens& e = engine_[model];
    const std::string& name = draft_.out.models[model.index()].name;
    // An engine that tells no cached tokens counts them as computed.
    const double prompts = e.cached > 0 ? t.input : t.prompts();
    const double mine = prompts + t.output, all = e.input + e.output;
    if (all == 0 && mine > 0)
      silent.push_back(name);
    else if (prompts > 1.01 * e.input || t.output > 1.01 * e.output)
      above.push_back(fmt::format("{}: {:.0f} tokens, the engine {:.0f}", name, mine, all));
    else if (mine < 0.9 * all)
      below.push_back(fmt::format("{}: {:.1f} % of the engine's tokens", name, 100 * mine / all));
  }
  if (!above.empty())
    draft_.check({"gateway-above-engine", Severity::kWarning, "gateways count more tokens than the engines",
                  "tenants' tokens are scaled down to what the engine counted",
                  "look for two logs of the same requests, replicas that are not scraped, or tokens counted "
                  "another way",
                  std::move(above)});
  if (!below.empty())
    draft_.check({"gateway-below-engine", Severity::kWarning, "engines served tokens that no gateway names",
                  "their money is `unattributed`",
                  "look for clients that go round the gateway, or for missing logs", std::move(below)});
  if (!silent.empty())
    draft_.check({"gateway-without-engine", Severity::kWarning,
                  "gateways name models whose engines count no tokens",
                  "their money is divided by the gateway's tokens alone, nothing is `unattributed`",
                  "scrape the engines' metrics", std::move(silent)});
  if (nameless > 0)
    draft_.check({"gateway-nameless",
                  Severity::kWarning,
                  fmt::format("{:.0f} tokens are of requests without team, key or user", nameless),
                  "their money is `unattributed`",
                  "have the gateway log who asks",
                  {}});
}

}  // namespace

void add_tenants(Draft& draft) {
  if (draft.out.window.empty()) return;
  Gathering(draft).run();
}

}  // namespace etiage::evidence
