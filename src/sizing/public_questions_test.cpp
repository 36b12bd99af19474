// Questions that people asked in public, and what the engines' authors or a closer look answered.

#include <gmock/gmock.h>

#include "catalog/cards.h"
#include "catalog/models.h"
#include "sizing/question.h"

namespace etiage::sizing {
namespace {

struct Deployment {
  std::string_view model, card, engine;
  int tensor = 1;
  serving::EngineSettings settings{};
  std::string quantization{};
};

Question question(const Deployment& d) {
  Question q{.model = catalog::find_model(d.model, catalog::models()).value(),
             .device = device_of(catalog::find_card(d.card, catalog::cards()).value()),
             .quantization = d.quantization,
             .split = {.tensor = d.tensor},
             .settings = d.settings};
  q.settings.engine = serving::parse_engine(d.engine).value();
  return q;
}

serving::MemoryBudget memory(const Deployment& d) {
  return answer(question(d), serving::builtin_coefficients()).value().memory;
}

serving::EngineSettings length(std::int64_t tokens) {
  return {.max_model_len = tokens};
}

TEST(PublicQuestions, WhyDoesASmallQuantizedModelTakeAllMemory) {  // vllm#15204, #15203, #4253
  const auto usual = memory({"Qwen/Qwen2.5-3B-Instruct-AWQ", "t4", "vllm@0.8.1", 1, length(4096)});
  EXPECT_LT(usual.weights_gib, 2.3);
  EXPECT_GT(usual.kv_cache_gib, 3 * usual.weights_gib);  // the cache is laid out in advance
  const auto less = memory(
      {"Qwen/Qwen2.5-3B-Instruct-AWQ", "t4", "vllm@0.8.1", 1, {.max_model_len = 4096, .utilization = 0.5}});
  EXPECT_NEAR(usual.kv_cache_gib - less.kv_cache_gib, 0.4 * usual.total_gib, 1e-9);
}

TEST(PublicQuestions, DoesTheCacheIgnoreTheSecondCard) {  // vllm#13061: its tokens count both already
  const auto one = memory({"Llama-3.1-8B-Instruct", "l40s", "vllm@0.7.3", 1, length(8192)});
  const auto two = memory({"Llama-3.1-8B-Instruct", "l40s", "vllm@0.7.3", 2, length(8192)});
  EXPECT_DOUBLE_EQ(two.kv_bytes_per_token, one.kv_bytes_per_token / 2);
  EXPECT_GT(two.kv_cache_tokens, 2 * one.kv_cache_tokens);
}

TEST(PublicQuestions, WhyDoes35kWorkWhere29kFails) {  // vllm#10517: profiled whole below 32k, in chunks above
  const auto shorter = memory({"Llama-3.1-8B-Instruct", "rtx3090", "vllm@0.6.4", 1, length(29000)}),
             longer = memory({"Llama-3.1-8B-Instruct", "rtx3090", "vllm@0.6.4", 1, length(35000)});
  EXPECT_NEAR(shorter.activation_gib, 2.99, 0.03);
  EXPECT_FALSE(shorter.fits);
  EXPECT_TRUE(longer.fits) << longer.reason;
}

TEST(PublicQuestions, DoesGptOss120bRunOnOneH100) {  // vllm#23278, #27508, #33155
  for (const auto* engine : {"vllm@0.10.2", "vllm@0.11.0", "vllm@0.14.1"}) {
    const auto m = memory({"openai/gpt-oss-120b", "h100", engine});
    EXPECT_FALSE(m.fits) << engine;
    EXPECT_GT(m.kv_cache_gib, -2.5) << engine;
  }
  EXPECT_THAT(memory({"openai/gpt-oss-120b", "h100", "vllm@0.14.1"}).reason,
              testing::HasSubstr("starts with --max-num-seqs"));
  EXPECT_TRUE(memory({"openai/gpt-oss-120b", "h200", "vllm@0.11.0"}).fits);
}

TEST(PublicQuestions, WhyDoes405bInFp8NotStartOnEightH100) {  // vllm#6746: 57.75 GiB a card, not 48
  const auto whole = memory({"Meta-Llama-3.1-405B-Instruct-FP8", "h100", "vllm@0.5.3", 8}),
             cut = memory({"Meta-Llama-3.1-405B-Instruct-FP8", "h100", "vllm@0.5.3", 8, length(8192)});
  EXPECT_NEAR(whole.weights_gib, 57.752, 0.02 * 57.752);
  EXPECT_FALSE(whole.fits);
  EXPECT_TRUE(cut.fits) << cut.reason;
}

TEST(PublicQuestions, IsTheCacheOfARequestReckonedFromTheHiddenSize) {  // vllm#22291: KV heads x head, bytes
  EXPECT_EQ(memory({"Llama-3.1-8B-Instruct", "h100", "vllm@0.10.0"}).kv_bytes_per_token,
            2 * 2 * 8 * 128 * 32);
}

TEST(PublicQuestions, DoesAnFp8CacheHoldTwiceTheTokens) {  // vllm#25350
  const auto usual = memory({"Qwen/Qwen3-32B", "h100", "vllm@0.10.2", 2, length(32768)});
  const auto fp8 =
      memory({"Qwen/Qwen3-32B", "h100", "vllm@0.10.2", 2, {.max_model_len = 32768, .kv = KvFormat::kFp8}});
  EXPECT_EQ(fp8.kv_bytes_per_token, usual.kv_bytes_per_token / 2);
  EXPECT_DOUBLE_EQ(fp8.kv_cache_gib, usual.kv_cache_gib);
  const auto wider = memory({"Qwen/Qwen3-32B",
                             "h100",
                             "vllm@0.10.2",
                             2,
                             {.max_model_len = 32768, .max_batched_tokens = 131072, .kv = KvFormat::kFp8}});
  EXPECT_LT(wider.kv_cache_gib, fp8.kv_cache_gib);  // a longer profiling run eats it
}

TEST(PublicQuestions, AreTheTokensOfAHybridItsCapacity) {  // vllm#40691, #54662, #51041
  const auto m = memory({"Qwen/Qwen3.5-27B", "h200", "vllm@0.19.0", 1, length(32768)});
  EXPECT_NEAR(static_cast<double>(m.kv_cache_tokens), m.max_concurrency * 32768, 1);
  const double pool = m.kv_cache_gib * 1024 * 1024 * 1024;
  EXPECT_LT(static_cast<double>(m.kv_cache_tokens) * m.kv_bytes_per_token, 0.97 * pool);
}

TEST(PublicQuestions, WhereDidTheCacheGoWithNewVersions) {  // vllm#45178, #53013: graphs are estimated first
  const auto usual = memory({"Qwen/Qwen3-32B", "h100", "vllm@0.21.0", 2, length(32768)});
  const auto eager =
      memory({"Qwen/Qwen3-32B", "h100", "vllm@0.21.0", 2, {.max_model_len = 32768, .cuda_graphs = false}});
  EXPECT_GT(usual.cuda_graph_gib, 0.1);
  EXPECT_NEAR(eager.kv_cache_gib - usual.kv_cache_gib, usual.cuda_graph_gib, 1e-9);
  EXPECT_EQ(memory({"Qwen/Qwen3-32B", "h100", "vllm@0.20.0", 2, length(32768)}).cuda_graph_gib, 0);
}

TEST(PublicQuestions,
     IsUtilizationTheShareOfTheCache) {  // a note on Qwen3-30B at 0.10: it is the whole budget
  const auto m =
      memory({"Qwen/Qwen3-30B-A3B", "h100", "vllm@0.25.0", 2, {.max_model_len = 2048, .utilization = 0.1}});
  EXPECT_FALSE(m.fits);
  EXPECT_LT(m.kv_cache_gib, -20);
  EXPECT_THAT(m.reason, testing::HasSubstr("weights need"));
}

TEST(PublicQuestions, IsThePoolTheBudgetLessTheWeights) {  // LLMServingSim#59: 31 % too much
  const auto m = memory({"Llama-3.1-8B-Instruct", "rtx4090", "vllm@0.11.0", 1, length(8192)});
  EXPECT_GT((m.budget_gib - m.weights_gib) / m.kv_cache_gib, 1.2);
}

}  // namespace
}  // namespace etiage::sizing
