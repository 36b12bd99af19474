#include "sizing/options.h"

#include <gmock/gmock.h>

#include "catalog/cards.h"
#include "catalog/models.h"
#include "sizing/steps.h"
#include "sizing/traffic.h"

namespace etiage::sizing {
namespace {

using testing::HasSubstr;

Search search(std::string_view model) {
  Search s{.model = catalog::find_model(model, catalog::models()).value(), .cards = catalog::cards()};
  s.settings.engine = serving::parse_engine("vllm@0.21").value();
  return s;
}

std::optional<PriceOfCard> two_an_hour(const Card&) {
  return PriceOfCard{{2'000'000'000'000}, "test"};
}

std::vector<Option> options_of(const Search& s) {
  return options(s, serving::builtin_coefficients(), two_an_hour).value();
}

TEST(Options, AreOrderedAndEachThatIsOutHasAReason) {
  auto s = search("Qwen/Qwen3-32B");
  s.demand = Demand{.requests_per_second = 5, .input = 1000, .output = 250};
  s.slo = parse_slo("ttft-p95=2s,tpot-p95=50ms").value();
  const auto all = options_of(s);
  ASSERT_TRUE(all.front().meets_slo);
  double cheapest = 0;
  bool in = true;
  for (const auto& o : all) {
    EXPECT_EQ(o.reason.empty(), o.meets_slo) << place_name(o) << ": " << o.reason;
    EXPECT_TRUE(in || !o.meets_slo);
    in = o.meets_slo;
    if (!o.meets_slo) continue;
    EXPECT_GE(*o.full, cheapest);
    cheapest = *o.full;
    EXPECT_LE(o.answer.performance->first_token_p95_ms, 2000);
    EXPECT_LE(o.answer.performance->token_p95_ms, 50);
    EXPECT_GE((o.replicas - o.spare_replicas) * o.requests_per_second, 5 * 0.999);
    EXPECT_LE(*o.saturated, *o.full * 1.001);
  }
}

TEST(Options, WhatCannotStartHasNoRate) {
  auto s = search("meta-llama/Llama-3.1-405B");
  s.demand = Demand{.concurrency = 8, .input = 1000, .output = 250};
  for (const auto& o : options_of(s))
    if (!o.answer.memory.fits) {
      EXPECT_FALSE(o.answer.performance) << place_name(o);
      EXPECT_FALSE(o.saturated) << place_name(o);
    }
}

TEST(Options, SlicesHaveTheirOwnMemoryAndNoPeers) {
  auto s = search("Qwen/Qwen3-8B");
  s.cards = {catalog::find_card("a100-80gb", catalog::cards()).value()};
  s.settings.max_model_len = 4096;
  bool small = false, large = false;
  for (const auto& o : options_of(s)) {
    if (o.mig_profile.empty()) continue;
    EXPECT_EQ(o.answer.split.gpus(), 1);
    if (o.mig_profile == "1g.10gb") small = o.answer.memory.fits;
    if (o.mig_profile == "3g.40gb") large = o.answer.memory.fits;
  }
  EXPECT_FALSE(small);  // 15.3 GiB of weights
  EXPECT_TRUE(large);
}

TEST(Options, WhatOneNodeCannotHoldIsSpreadOverSeveral) {
  auto s = search("deepseek-ai/DeepSeek-R1");
  s.cards = {catalog::find_card("h100", catalog::cards()).value()};
  s.settings.max_model_len = 8192;
  const auto all = options_of(s);
  EXPECT_TRUE(all.front().answer.memory.fits);
  EXPECT_EQ(all.front().answer.split, (serving::Parallelism{.tensor = 8, .pipeline = 2}));
}

TEST(Traffic, GivesTheFloorThePeakAndTheMean) {
  std::string csv = "time,input,output\n";
  for (int minute = 0; minute < 100; ++minute)
    for (int i = 0; i < (minute < 50 ? 60 : 600); ++i)
      csv += std::to_string(minute * 60 + i % 60) + ",500,200\n";
  const auto demand = read_traffic(csv, "t.csv");
  ASSERT_TRUE(demand);
  EXPECT_EQ(*demand->requests_per_second, 10);
  EXPECT_EQ(demand->rates.size(), 100U);
  EXPECT_EQ(demand->rates.front(), 1);
  auto s = search("Qwen/Qwen3-8B");
  s.cards = {catalog::find_card("l4", catalog::cards()).value()};
  s.demand = *demand;
  const auto best = options_of(s).front();
  ASSERT_TRUE(best.autoscaling);
  EXPECT_LE(best.autoscaling->floor, best.autoscaling->mean);
  EXPECT_LE(best.autoscaling->mean, best.autoscaling->peak);
  EXPECT_EQ(best.autoscaling->peak, best.replicas);
  EXPECT_LE(best.autoscaling->hourly->pico, best.hourly->pico);
}

TEST(Threshold, IsAFormulaWithStatedInputs) {
  const auto t = kubernetes_threshold(20, 0.25, {});
  ASSERT_TRUE(t);
  EXPECT_DOUBLE_EQ(t->worth_from_hourly, 80);
  EXPECT_EQ(kubernetes_threshold(20, {}, {})->saved_source, "assumed");
  EXPECT_FALSE(kubernetes_threshold(0, 0.25, {}));
  EXPECT_FALSE(kubernetes_threshold(20, 1.5, {}));
}

TEST(Steps, SayTheWayFromMemoryToBuying) {
  auto s = search("Qwen/Qwen3-8B");
  s.demand = Demand{.requests_per_second = 2, .input = 1000, .output = 250};
  const auto all = options_of(s);
  const auto told = steps(s, all, kubernetes_threshold(20, 0.25, all).value());
  ASSERT_EQ(told.size(), 6U);
  EXPECT_EQ(told[0].name, "memory");
  EXPECT_THAT(told[0].statement, HasSubstr("weights take 15.3 GiB (bf16)"));
  EXPECT_THAT(told[3].statement, HasSubstr("1 spare"));
  EXPECT_THAT(told[5].statement, HasSubstr("80.00 an hour on = platform 20.00 an hour / 25 % saved"));
}

TEST(Slo, IsReadAndRefused) {
  const auto slo = parse_slo("ttft-p95=1s,tpot=50ms");
  ASSERT_TRUE(slo);
  EXPECT_EQ(*slo->first_token_p95_ms, 1000);
  EXPECT_EQ(*slo->token_p95_ms, 50);
  for (const auto* wrong : {"ttft", "ttft=-1s", "speed=1s", "tpot=soon"})
    EXPECT_FALSE(parse_slo(wrong)) << wrong;
}

}  // namespace
}  // namespace etiage::sizing
