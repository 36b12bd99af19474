// Expected figures are what real start-up logs printed; the source of each stands beside it.

#include "engines/serving/memory.h"

#include <gmock/gmock.h>

#include "catalog/models.h"
#include "engines/serving/parameters.h"

namespace etiage::serving {
namespace {

Device h100() {
  return {.card = "H100",
          .memory_gib = 79.22,
          .bandwidth = 3.35e12,
          .flops16 = 989e12,
          .flops8 = 1978e12,
          .link = 450e9,
          .compute_capability = 9.0};
}
Device rtx3090() {
  return {.card = "RTX 3090",
          .memory_gib = 23.58,
          .bandwidth = 936e9,
          .flops16 = 71e12,
          .link = 32e9,
          .compute_capability = 8.6};
}
Device l40s() {
  return {.card = "L40S",
          .memory_gib = 44.42,
          .bandwidth = 864e9,
          .flops16 = 362e12,
          .flops8 = 733e12,
          .link = 32e9,
          .compute_capability = 8.9};
}

ModelSpec model(std::string_view name) {
  return catalog::find_model(name, catalog::models()).value();
}

MemoryBudget budget(std::string_view name, const Device& device, std::string_view engine, int tensor = 1,
                    std::optional<double> utilization = {}, std::int64_t length = 0,
                    std::optional<KvFormat> kv = {}) {
  const auto m = model(name);
  EngineSettings s{.engine = parse_engine(engine).value(), .utilization = utilization, .kv = kv};
  if (length > 0) s.max_model_len = length;
  return memory_budget(m, quantization_scheme("", m).value(), device, {.tensor = tensor}, s, 0);
}

void within(double value, double truth, double percent) {
  EXPECT_NEAR(value, truth, std::abs(truth) * percent / 100) << value << " for " << truth;
}

TEST(Weights, AreWhatStartUpLogsPrint) {
  within(budget("Meta-Llama-3.1-70B-Instruct-w8a8", h100(), "vllm@0.7.0", 1, 0.98, 2048).weights_gib, 67.7229,
         2);  // vllm#12569
  within(budget("meta-llama/Meta-Llama-3-8B", h100(), "vllm@0.6.5", 1, 0.9, 8192).weights_gib, 14.96,
         2);  // vllm#10511
  within(budget("Llama-3.1-8B-Instruct", rtx3090(), "vllm@0.6.3", 1, 0.9, 20000).weights_gib, 14.9888,
         2);                                                                           // vllm#10517
  within(budget("openai/gpt-oss-120b", h100(), "vllm@0.14.1").weights_gib, 64.38, 2);  // vllm#33155
  within(budget("Meta-Llama-3.1-405B-Instruct-FP8", h100(), "vllm@0.5.3", 8).weights_gib, 57.752,
         2);  // vllm#6746
  within(budget("Qwen2.5-32B-Instruct", l40s(), "vllm@0.7.3", 2, 0.9, 10000).weights_gib, 30.71,
         2);  // vllm#15815
  within(budget("Qwen/Qwen2.5-7B-Instruct-AWQ", rtx3090(), "vllm@0.7.3", 1, 0.7, 4096).weights_gib, 5.2032,
         2);                                                                              // vllm#13882
  within(budget("Qwen/Qwen3.8-27B-NVFP4", h100(), "vllm@0.24.0").weights_gib, 19.75, 2);  // club-3090#1047
  within(budget("meta-llama/Llama-3.2-1B-Instruct", h100(), "vllm@0.9.0.1").weights_gib, 2.3185,
         2);  // a start-up log of 0.9.0.1
  within(budget("Meta-Llama-3-8B-Instruct-W4A16_awq_sym", h100(), "vllm@0.15.0").weights_gib, 5.32,
         2);  // a start-up log of 0.15
  within(budget("meta-llama/Llama-3.1-8B-Instruct", l40s(), "vllm@0.6.4", 2).weights_gib, 7.5122,
         2);  // a start-up log of 0.6.4
}

TEST(KvPool, IsWhatStartUpLogsPrint) {
  within(budget("Meta-Llama-3-8B", h100(), "vllm@0.6.5", 1, 0.9, 8192).kv_cache_gib, 53.29, 3);  // vllm#10511
  within(budget("Llama-3.1-8B-Instruct", rtx3090(), "vllm@0.6.3", 1, 0.9, 20000).kv_cache_gib, 3.81,
         3);  // vllm#10517
  within(budget("Qwen2.5-32B-Instruct", l40s(), "vllm@0.7.3", 2, 0.9, 10000).kv_cache_gib, 7.71,
         3);  // vllm#15815
  within(budget("Meta-Llama-3-8B-Instruct", h100(), "vllm@0.15.0").kv_cache_gib, 55.09,
         3);  // a start-up log of 0.15
  within(budget("meta-llama/Llama-3.1-8B-Instruct", l40s(), "vllm@0.6.4", 2).kv_cache_gib, 30.55,
         3);  // a start-up log of 0.6.4
}

TEST(KvPool, OfAHybridCountsItsStateAsPages) {  // club-3090#612: 5.98 GiB, 567,978 tokens, 4.33 requests
  const auto m = model("Qwen/Qwen3.6-35B-A3B");
  const auto layout = kv_layout(m, KvFormat::kFp8, {}, {.recurrent_pages = 2});
  EXPECT_EQ(layout.block_tokens, 2096);
  EXPECT_NEAR(max_concurrency(layout, 5.98 * (1 << 30), 131072), 4.33, 0.01);
  EXPECT_EQ(kv_layout(model("Qwen/Qwen3.8-27B"), KvFormat::kFp8, {}, {}).block_tokens,
            1568);  // club-3090#1047
}

TEST(KvPool, OfLatentAttentionIsReplicated) {  // a start-up log of Kimi K2: 46.80 GiB, 715,072 tokens on TP8
  const auto m = model("moonshotai/Kimi-K2-Instruct");
  const auto layout = kv_layout(m, KvFormat::kFloat16, {.tensor = 8}, {});
  within(static_cast<double>(blocks_in(layout, 46.80 * (1 << 30)) * layout.block_tokens), 715072, 0.1);
}

TEST(Fit, IsRefusedWhereTheEngineDoesNotStart) {
  auto laptop = rtx3090();
  laptop.memory_gib = 8.0;
  const auto b =
      budget("Qwen/Qwen2.5-7B-Instruct-AWQ", laptop, "vllm@0.7.3", 1, 0.7, 4096);  // vllm#13882: -1.05 GiB
  EXPECT_FALSE(b.fits);
  EXPECT_NEAR(b.kv_cache_gib, -1.05, 0.3);
  EXPECT_FALSE(budget("Llama-3.1-70B", h100(), "vllm@0.21").fits);
  EXPECT_THAT(budget("Llama-3.1-70B", h100(), "vllm@0.21").reason, testing::HasSubstr("weights need"));
}

TEST(Parameters, AddUpToPublishedTotals) {
  const auto billions = [](std::string_view name) {
    return static_cast<double>(total(parameters(model(name)))) / 1e9;
  };
  within(billions("Qwen/Qwen3-235B-A22B"), 235.09, 0.5);
  within(billions("deepseek-ai/DeepSeek-R1"), 671.03, 0.5);
  within(billions("openai/gpt-oss-120b"), 116.79, 0.5);
  within(billions("Qwen/Qwen3.5-27B"), 26.89, 0.5);
  within(billions("Qwen/Qwen3-Next-80B-A3B"), 79.67, 0.5);
  within(billions("Qwen/Qwen3.5-397B-A17B"), 396.34, 0.5);
  within(billions("meta-llama/Llama-4-Maverick-17B-128E-Instruct"), 400.71, 0.5);
  within(billions("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"), 31.6, 1);
  EXPECT_NEAR(static_cast<double>(active_parameters(model("Qwen/Qwen3-235B-A22B"))) / 1e9, 22.19, 0.2);
}

}  // namespace
}  // namespace etiage::serving
