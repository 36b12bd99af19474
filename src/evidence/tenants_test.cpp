#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evidence/build.h"

namespace etiage::evidence {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::int64_t kStart = 1790000000LL / 3600 * 3600 * 1000;
const Window kHour{Instant::unix_millis(kStart), Instant::unix_millis(kStart + 3'600'000)};

/// A counter that grows evenly by `amount` over the hour.
void grows(SeriesStore& store, std::vector<std::pair<std::string, std::string>> labels, double amount,
           double first = 0) {
  std::ranges::sort(labels);
  std::vector<formats::Label> views;
  for (const auto& [name, value] : labels) views.push_back({name, value});
  const auto ref = store.series(views);
  ASSERT_TRUE(ref);
  std::vector<formats::Sample> samples;
  for (int minute = 0; minute <= 60; ++minute)
    samples.push_back({kStart + minute * 60'000, first + amount * minute / 60});
  store.samples(*ref, samples);
}

/// One pod that serves `m`: 1000 prompt tokens, 400 of them cached, and 100 of output.
Sources one_engine() {
  Sources out;
  const std::pair<std::string, std::string> pod{"pod", "p"}, ns{"namespace", "s"}, model{"model_name", "m"};
  grows(out.series, {{"__name__", "vllm:prompt_tokens_total"}, pod, ns, model}, 1000);
  grows(out.series, {{"__name__", "vllm:prompt_tokens_cached_total"}, pod, ns, model}, 400);
  grows(out.series, {{"__name__", "vllm:generation_tokens_total"}, pod, ns, model}, 100);
  grows(out.series, {{"__name__", "DCGM_FI_PROF_SM_ACTIVE"}, pod, ns, {"UUID", "GPU-1"}, {"Hostname", "n"}},
        1);
  return out;
}

void asks(Sources& sources, const char* team, GatewayModelName model, double input, double cached,
          double output, Duration after = Duration::seconds(60)) {
  sources.gateway.add({team}, model,
                      {.time = {kHour.start + after, kHour.start + after},
                       .input = input,
                       .cached = cached,
                       .output = output});
}

Evidence built(Sources& sources) {
  sources.series.finish();
  sources.gateway.finish();
  Request request;
  request.window.absolute = kHour;
  return build_evidence(sources, request);
}

struct Use {
  std::string tenant;
  double input, cached, output;

  bool operator==(const Use&) const = default;
};

std::vector<Use> uses(const Evidence& e) {
  std::vector<Use> out;
  for (const TenantUse& u : e.tenant_uses)
    out.push_back({u.tenant.valid() ? e.tenants[u.tenant.index()] : "", std::round(u.input.count),
                   std::round(u.cached_input.count), std::round(u.output.count)});
  return out;
}

std::vector<std::string> gateway_checks(const Evidence& e) {
  std::vector<std::string> out;
  for (const Check& c : e.checks)
    if (c.id.starts_with("gateway-")) out.push_back(c.id);
  return out;
}

TEST(TenantUses, ComeFromLogs) {
  Sources s = one_engine();
  asks(s, "a", {"chat", "hosted_vllm/m"}, 500, 200, 60);
  asks(s, "b", {"chat", ""}, 500, 200, 40);
  const Evidence e = built(s);
  EXPECT_THAT(uses(e), ElementsAre(Use{"a", 300, 200, 60}, Use{"b", 300, 200, 40}));
  EXPECT_THAT(gateway_checks(e), IsEmpty());
}

TEST(TenantUses, TakeTheEnginesCachedPartWhereTheLogTellsNone) {
  for (const double told : {-1.0, 0.0}) {
    Sources s = one_engine();
    asks(s, "a", {"", "m"}, 1000, told, 100);
    const Evidence e = built(s);
    EXPECT_THAT(uses(e), ElementsAre(Use{"a", 600, 400, 100}));
    EXPECT_THAT(gateway_checks(e), IsEmpty());
  }
}

TEST(TenantUses, EndWithTheWindow) {
  Sources s = one_engine();
  asks(s, "a", {"", "m"}, 1000, 400, 100, Duration::seconds(0));
  asks(s, "a", {"", "m"}, 1000, 400, 100, Duration::seconds(3600));
  const Evidence e = built(s);
  EXPECT_THAT(uses(e), ElementsAre(Use{"a", 600, 400, 100}));
  EXPECT_THAT(gateway_checks(e), ElementsAre("gateway-outside-window"));
}

TEST(TenantUses, NameTheModelsThatNothingServes) {
  Sources s = one_engine();
  asks(s, "a", {"", "gpt-4o"}, 70, -1, 7);
  const Evidence e = built(s);
  EXPECT_THAT(uses(e), IsEmpty());
  ASSERT_THAT(e.gateway_models, SizeIs(1));
  EXPECT_EQ(e.gateway_models[0].name, "gpt-4o");
  EXPECT_EQ(e.gateway_models[0].input.count, 70);
  EXPECT_THAT(gateway_checks(e), ElementsAre("gateway-models-unmatched"));
}

TEST(TenantUses, SayWhereCountsDiffer) {
  Sources more = one_engine(), less = one_engine();
  asks(more, "a", {"", "m"}, 2000, 800, 200);
  asks(less, "", {"", "m"}, 100, 40, 10);
  EXPECT_THAT(gateway_checks(built(more)), ElementsAre("gateway-above-engine"));
  EXPECT_THAT(gateway_checks(built(less)), ElementsAre("gateway-below-engine", "gateway-nameless"));
}

TEST(TenantUses, ComeFromCountersWhereThereIsNoLog) {
  const auto count = [](Sources& s, const char* what, double amount, double first) {
    grows(s.series,
          {{"__name__", what},
           {"team", "id"},
           {"team_alias", "Red"},
           {"requested_model", "chat"},
           {"model", "openai/m"}},
          amount, first);
  };
  Sources s = one_engine();
  count(s, "litellm_input_tokens_metric_total", 500, 1e6);
  count(s, "litellm_input_cached_tokens_metric_total", 100, 1e5);
  count(s, "litellm_output_tokens_metric_total", 50, 1e5);
  EXPECT_THAT(uses(built(s)), ElementsAre(Use{"Red", 400, 100, 50}));
  Sources both = one_engine();
  count(both, "litellm_output_tokens_metric_total", 50, 0);
  asks(both, "a", {"", "m"}, 1000, 400, 100);
  const Evidence e = built(both);
  EXPECT_THAT(uses(e), ElementsAre(Use{"a", 600, 400, 100}));
  EXPECT_THAT(gateway_checks(e), ElementsAre("gateway-counters-unused"));
}

TEST(TenantUses, CountCopiedRowsOnceAndSaySo) {
  Sources s = one_engine();
  for (int i = 0; i < 2; ++i)
    s.gateway.add({"a"}, {"", "m"},
                  {.time = {kHour.start + Duration::seconds(60), kHour.start + Duration::seconds(60)},
                   .input = 1000,
                   .cached = 400,
                   .output = 100,
                   .id = 7});
  const Evidence e = built(s);
  EXPECT_THAT(uses(e), ElementsAre(Use{"a", 600, 400, 100}));
  EXPECT_THAT(gateway_checks(e), ElementsAre("gateway-repeated"));
}

TEST(TenantUses, StandAloneWhereTheEngineCountsNothing) {
  Sources s;
  Pod pod{.meta = {.ns = "s", .name = "p", .uid = "p"}, .spec = {.node_name = "n"}};
  pod.spec.containers.push_back({.name = "c", .args = {"--model", "m"}});
  pod.spec.containers[0].requests["nvidia.com/gpu"] = Quantity::units(1);
  pod.meta.created = kHour.start;
  s.clusters.push_back({"", {}});
  s.clusters[0].objects.pods.push_back(pod);
  grows(s.series,
        {{"__name__", "DCGM_FI_PROF_SM_ACTIVE"},
         {"pod", "p"},
         {"namespace", "s"},
         {"UUID", "GPU-1"},
         {"Hostname", "n"}},
        1);
  asks(s, "a", {"", "m"}, 1000, 400, 100);
  EXPECT_THAT(gateway_checks(built(s)), ElementsAre("gateway-without-engine"));
}

/// What Envoy's AI gateway and Dynamo's frontend export; the one that is nearer to the caller knows who asks.
TEST(TenantUses, ComeFromTheNearestOfSeveralGateways) {
  Sources s = one_engine();
  for (const auto& [type, amount] : {std::pair{"input", 500.0}, {"output", 50.0}})
    grows(s.series,
          {{"__name__", "gen_ai_client_token_usage_token_sum"},
           {"gen_ai_operation_name", "chat"},
           {"gen_ai_request_model", "m"},
           {"gen_ai_response_model", "m"},
           {"gen_ai_token_type", type},
           {"x_tenant_id", "Blue"}},
          amount);
  const auto dynamo = [&](Sources& to) {
    grows(to.series, {{"__name__", "dynamo_frontend_input_sequence_tokens_sum"}, {"model", "m"}}, 1000);
    grows(to.series, {{"__name__", "dynamo_frontend_cached_tokens_sum"}, {"model", "m"}}, 400);
    grows(to.series, {{"__name__", "dynamo_frontend_output_tokens_total"}, {"model", "m"}}, 100);
  };
  dynamo(s);
  EXPECT_THAT(uses(built(s)), ElementsAre(Use{"Blue", 300, 200, 50}));
  Sources alone = one_engine();
  dynamo(alone);
  EXPECT_THAT(uses(built(alone)), ElementsAre(Use{"", 600, 400, 100}));
}

}  // namespace
}  // namespace etiage::evidence
