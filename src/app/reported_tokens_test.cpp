// What users of other tools reported of tokens and their price, and what reading those tools' code shows: the
// right values here.

#include <gmock/gmock.h>

#include "app/testing/small_cluster.h"
#include "ledger/unit_cost.h"

namespace etiage::app::testing {
namespace {

using ::testing::DoubleNear;

/// One pod of a node of one card at `hourly`, all of it for the card.
SmallCluster served(const std::string& hourly, const std::string& labels = "") {
  return {node("n1", "cpu: 8, memory: 32Gi, nvidia.com/gpu: 1") + pod("a", "n1", "nvidia.com/gpu: 1", labels),
          gauge("DCGM_FI_PROF_SM_ACTIVE{UUID=\"GPU-1\",Hostname=\"n1\",namespace=\"prod\",pod=\"a\"}", 0.5),
          "currency: USD\nsplit: {gpu: 1}\nprices: [{name: n1, hourly: " + hourly + "}]\n"};
}
std::string who(const std::string& pod, const std::string& more = "") {
  return "{namespace=\"prod\",pod=\"" + pod + "\",model_name=\"m\"" + more + "}";
}
ledger::UnitCost only_model(const SmallCluster& c) {
  const Reading reading = read(c);
  const auto rows = ledger::model_rows(reading.evidence, reading.ledger);
  EXPECT_EQ(rows.size(), 1U);
  return rows.empty() ? ledger::UnitCost{} : rows.front().unit;
}

// opencost/opencost PR #3845, figures of the review llm-d/llm-d PR #2510: 1440 prompt and 3600 generated
// tokens, 120 a request. It adds mean seconds per token to prefill seconds and gets 1032.75 in, 60.46 out.
TEST(ReportedTokens, MoneyIsSplitBySecondsOfPrefillAndDecode) {
  SmallCluster c = served("1.704823");
  c.metrics += counter("vllm:prompt_tokens_total" + who("a"), 0, 1440) +
               counter("vllm:generation_tokens_total" + who("a"), 0, 3600) +
               counter("vllm:request_prefill_time_seconds_sum" + who("a"), 0, 6.8325) +
               counter("vllm:request_decode_time_seconds_sum" + who("a"), 0, 119);
  const auto unit = only_model(c).per_million();
  EXPECT_THAT(*unit.input, DoubleNear(64.28, 0.01));
  EXPECT_THAT(*unit.output, DoubleNear(447.85, 0.01));
}

// The same in general: 0.25 s of prefill, 299 tokens of 20 ms each: 4.0 % is input, not 92.6 %.
TEST(ReportedTokens, ALongAnswerIsMostlyDecode) {
  SmallCluster c = served("1");
  c.metrics += counter("vllm:prompt_tokens_total" + who("a"), 0, 1e6) +
               counter("vllm:generation_tokens_total" + who("a"), 0, 1e6) +
               counter("vllm:request_prefill_time_seconds_sum" + who("a"), 0, 0.25) +
               counter("vllm:request_decode_time_seconds_sum" + who("a"), 0, 5.98);
  EXPECT_THAT(*only_model(c).per_million().input, DoubleNear(0.040, 0.001));
}

// A lifetime's count is not the window's where the first sample is missing; a restart loses nothing that was
// counted before it (two instant queries get both wrong; PyPI lutflow 0.2.1 was withdrawn for the second).
TEST(ReportedTokens, EverySampleOfACounterIsIntegrated) {
  SmallCluster c = served("1");
  const std::string series = "vllm:generation_tokens_total" + who("a");
  c.metrics += counter(series, 5e6, 5.3e6, 3, 30) + counter(series, 1e5, 4e5, 31, 60);
  EXPECT_THAT(only_model(c).tokens.output.count, DoubleNear(7e5, 1));
}

// Token rows join their pod, whatever its labels say of the model.
TEST(ReportedTokens, TokensJoinPodsAndNotNamesOfModels) {
  SmallCluster c = served("2", "model: another-name");
  c.metrics += counter("vllm:generation_tokens_total" + who("a"), 0, 1e6);
  const Reading reading = read(c);
  const auto rows = ledger::model_rows(reading.evidence, reading.ledger);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(reading.evidence.models[rows[0].model.index()].name, "m");
  EXPECT_EQ(rows[0].unit.cost, Money{2'000'000});
}

// vllm-project/vllm#43736, #25780: hits of the prefix cache are counted again and again; what was computed is
// not.
TEST(ReportedTokens, CachedTokensAreThoseOfTheSourcesOfPrompts) {
  SmallCluster c = served("1");
  c.metrics +=
      counter("vllm:prompt_tokens_total" + who("a"), 0, 1000) +
      counter("vllm:prompt_tokens_by_source_total" + who("a", ",source=\"local_compute\""), 0, 600) +
      counter("vllm:prompt_tokens_by_source_total" + who("a", ",source=\"local_cache_hit\""), 0, 400) +
      counter("vllm:prefix_cache_queries_total" + who("a"), 0, 30000) +
      counter("vllm:prefix_cache_hits_total" + who("a"), 0, 27000);
  const auto tokens = only_model(c).tokens;
  EXPECT_THAT(tokens.input.count, DoubleNear(600, 1e-6));
  EXPECT_THAT(tokens.cached_input.count, DoubleNear(400, 1e-6));
}

// The same of a release without sources: nothing tells how often a hit was counted, so no money rests on
// hits.
TEST(ReportedTokens, HitsOfThePrefixCacheMakeNoMoney) {
  SmallCluster c = served("1");
  c.metrics += counter("vllm:prompt_tokens_total" + who("a"), 0, 1000) +
               counter("vllm:prefix_cache_queries_total" + who("a"), 0, 30000) +
               counter("vllm:prefix_cache_hits_total" + who("a"), 0, 27000);
  const auto tokens = only_model(c).tokens;
  EXPECT_THAT(tokens.input.count, DoubleNear(1000, 1e-6));
  EXPECT_EQ(tokens.cached_input.count, 0);
}

// vllm-project/vllm#56361: with n=8 a prompt of 311 tokens counts as 2488; it was computed once.
TEST(ReportedTokens, SamplingSeveralAnswersComputesThePromptOnce) {
  SmallCluster c = served("1");
  c.metrics +=
      counter("vllm:prompt_tokens_total" + who("a"), 0, 2488) +
      counter("vllm:prompt_tokens_by_source_total" + who("a", ",source=\"local_compute\""), 0, 311) +
      counter("vllm:prompt_tokens_by_source_total" + who("a", ",source=\"local_cache_hit\""), 0, 2177);
  EXPECT_THAT(only_model(c).tokens.input.count, DoubleNear(311, 1e-6));
}

// opencost/opencost PR #3845: with prefill and decode apart, each prompt counts on both pods.
TEST(ReportedTokens, APromptThatWasHandedOverCountsOnce) {
  SmallCluster c = served("1");
  c.objects = node("n1", "cpu: 8, memory: 32Gi, nvidia.com/gpu: 2") + pod("a", "n1", "nvidia.com/gpu: 1") +
              pod("b", "n1", "nvidia.com/gpu: 1");
  const auto source = [](const char* pod, const char* from, double count) {
    return counter("vllm:prompt_tokens_by_source_total" + who(pod, ",source=\"" + std::string(from) + "\""),
                   0, count);
  };
  c.metrics += source("a", "local_compute", 9000) + source("b", "local_compute", 0) +
               source("b", "external_kv_transfer", 9000) +
               counter("vllm:prompt_tokens_total" + who("a"), 0, 9000) +
               counter("vllm:prompt_tokens_total" + who("b"), 0, 9000) +
               counter("vllm:generation_tokens_total" + who("b"), 0, 1000);
  EXPECT_THAT(only_model(c).tokens.all(), DoubleNear(10000, 1e-6));
}

// latitude-dev/latitude-llm PR #4051, anomalyco/opencode#17566: cached tokens are part of the prompt, billed
// twice.
TEST(ReportedTokens, CachedTokensArePartOfThePrompt) {
  SmallCluster c = served("1");
  c.metrics += counter("sglang:prompt_tokens_total" + who("a"), 0, 1000) +
               counter("sglang:cached_tokens_total" + who("a", ",cache_source=\"device\""), 0, 300) +
               counter("sglang:cached_tokens_total" + who("a", ",cache_source=\"total\""), 0, 300) +
               counter("sglang:generation_tokens_total" + who("a"), 0, 100);
  const auto tokens = only_model(c).tokens;
  EXPECT_THAT(tokens.input.count, DoubleNear(700, 1e-6));
  EXPECT_THAT(tokens.cached_input.count, DoubleNear(300, 1e-6));
  EXPECT_THAT(tokens.all(), DoubleNear(1100, 1e-6));
}

// Without traffic there is a cost and no price of a token: not infinity, and not zero.
TEST(ReportedTokens, WithoutTokensTheirPriceIsUnknown) {
  SmallCluster c = served("3");
  c.metrics += counter("vllm:generation_tokens_total" + who("a"), 7, 7);
  const auto unit = only_model(c);
  EXPECT_EQ(unit.cost, Money{3'000'000});
  EXPECT_FALSE(unit.per_million().full);
  EXPECT_FALSE(unit.per_million().output);
}

}  // namespace
}  // namespace etiage::app::testing
