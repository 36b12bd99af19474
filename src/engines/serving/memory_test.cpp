// Expected figures are what real start-up logs printed; the source of each stands beside it.

#include "engines/serving/memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "catalog/cards.h"
#include "catalog/models.h"
#include "engines/serving/parameters.h"

namespace etiage::serving {
namespace {

constexpr double kGib = 1024.0 * 1024 * 1024;

Device on(std::string_view name) {
  const auto c = catalog::find_card(name, catalog::cards()).value();
  return {.card = c.key,
          .memory_gib = c.visible_gib,
          .link = (c.link_gbs > 0 ? c.link_gbs : c.pcie_gbs) * 1e9,
          .pcie = c.pcie_gbs * 1e9,
          .compute_capability = c.compute_capability};
}

ModelSpec model(std::string_view name) {
  return catalog::find_model(name, catalog::models()).value();
}

/// One engine's start, and what it printed; zero: it did not print that.
struct Start {
  std::string_view source, model, card, engine;
  int tensor = 1;
  EngineSettings settings{};
  double total_gib = 0;  ///< where the log's card shows other than ours
  double weights = 0, kv_cache = 0, concurrency = 0;
};

MemoryBudget budget(const Start& s) {
  const auto m = model(s.model);
  auto device = on(s.card);
  if (s.total_gib > 0) device.memory_gib = s.total_gib;
  auto settings = s.settings;
  settings.engine = parse_engine(s.engine).value();
  return memory_budget(m, quantization_scheme("", m).value(), device, {.tensor = s.tensor}, settings, 0);
}

EngineSettings length(std::int64_t tokens, double utilization = 0.9) {
  return {.max_model_len = tokens, .utilization = utilization};
}

const std::vector<Start>& starts() {
  static const std::vector<Start> kStarts{{.source = "vllm#12569",
                                           .model = "Meta-Llama-3.1-70B-Instruct-w8a8",
                                           .card = "h100",
                                           .engine = "vllm@0.6.6",
                                           .settings = length(2048, 0.98),
                                           .weights = 67.7229,
                                           .concurrency = 10.79},
                                          {.source = "vllm#10511",
                                           .model = "meta-llama/Meta-Llama-3-8B",
                                           .card = "h100",
                                           .engine = "vllm@0.6.5",
                                           .settings = length(8192),
                                           .weights = 14.96,
                                           .kv_cache = 53.29},
                                          {.source = "vllm#10517",
                                           .model = "Llama-3.1-8B-Instruct",
                                           .card = "rtx3090",
                                           .engine = "vllm@0.6.4",
                                           .settings = length(20000),
                                           .weights = 14.9888,
                                           .kv_cache = 3.81,
                                           .concurrency = 1.56},
                                          {.source = "a start-up log of 0.6.4",
                                           .model = "meta-llama/Llama-3.1-8B-Instruct",
                                           .card = "l40s",
                                           .engine = "vllm@0.6.4",
                                           .tensor = 2,
                                           .weights = 7.5122,
                                           .kv_cache = 30.55,
                                           .concurrency = 3.82},
                                          {.source = "vllm#15815",
                                           .model = "Qwen2.5-32B-Instruct",
                                           .card = "l40s",
                                           .engine = "vllm@0.7.3",
                                           .tensor = 2,
                                           .settings = length(10000),
                                           .weights = 30.71,
                                           .kv_cache = 7.71},
                                          {.source = "vllm#13882",
                                           .model = "Qwen/Qwen2.5-7B-Instruct-AWQ",
                                           .card = "rtx4060",
                                           .engine = "vllm@0.7.3",
                                           .settings = length(4096, 0.7),
                                           .weights = 5.2032,
                                           .kv_cache = -1.05},
                                          {.source = "a start-up log of 0.9.0.1",
                                           .model = "meta-llama/Llama-3.2-1B-Instruct",
                                           .card = "a100-40gb",
                                           .engine = "vllm@0.9.0",
                                           .weights = 2.3185,
                                           .kv_cache = 31.40},
                                          {.source = "a start-up log of 0.10.1, pool of 157,648 tokens",
                                           .model = "meta-llama/Llama-3.1-8B-Instruct",
                                           .card = "a100-40gb",
                                           .engine = "vllm@0.10.1",
                                           .weights = 14.9889,
                                           .kv_cache = 19.25,
                                           .concurrency = 1.20},
                                          {.source = "a start-up log of 0.10.2",
                                           .model = "Qwen/Qwen3-Next-80B-A3B-Instruct",
                                           .card = "h200",
                                           .engine = "vllm@0.10.2",
                                           .tensor = 2,
                                           .weights = 74.2812,
                                           .kv_cache = 44.59,
                                           .concurrency = 14.77},
                                          {.source = "vllm#21348",
                                           .model = "Qwen/Qwen3-235B-A22B-FP8",
                                           .card = "h100",
                                           .engine = "vllm@0.9.2",
                                           .tensor = 4,
                                           .kv_cache = 8.11},
                                          {.source = "vllm#27508, Marlin kernels",
                                           .model = "openai/gpt-oss-120b",
                                           .card = "h100",
                                           .engine = "vllm@0.11.0",
                                           .weights = 65.97,
                                           .kv_cache = -2.28},
                                          {.source = "vllm#33155, Triton kernels",
                                           .model = "openai/gpt-oss-120b",
                                           .card = "h100",
                                           .engine = "vllm@0.14.1",
                                           .weights = 64.38},
                                          {.source = "a start-up log of 0.15, of an A100",
                                           .model = "Meta-Llama-3-8B-Instruct",
                                           .card = "a100-80gb",
                                           .engine = "vllm@0.15.0",
                                           .settings = {.max_model_len = 8192, .max_batched_tokens = 8192},
                                           .weights = 14.96,
                                           .kv_cache = 55.09,
                                           .concurrency = 55.09},
                                          {.source = "the same, 4 bit",
                                           .model = "Meta-Llama-3-8B-Instruct-W4A16_awq_sym",
                                           .card = "a100-80gb",
                                           .engine = "vllm@0.15.0",
                                           .settings = {.max_model_len = 8192, .max_batched_tokens = 8192},
                                           .weights = 5.32,
                                           .kv_cache = 64.73,
                                           .concurrency = 64.73},
                                          {.source = "vllm#40691, an H20 of 141 GB",
                                           .model = "Qwen/Qwen3.5-27B",
                                           .card = "h20",
                                           .engine = "vllm@0.19.0",
                                           .settings = length(32768),
                                           .total_gib = 139.8,
                                           .concurrency = 33.04},
                                          {.source = "a public note of May 2026",
                                           .model = "Llama-3.1-8B-Instruct",
                                           .card = "a100-40gb",
                                           .engine = "vllm@0.20.0",
                                           .settings = length(32768),
                                           .kv_cache = 19.92,
                                           .concurrency = 4.98},
                                          {.source = "a public note of 2026, 221,824 tokens",
                                           .model = "Llama-3.1-8B-Instruct",
                                           .card = "rtx-a6000",
                                           .engine = "vllm@0.20.0",
                                           .settings = length(32768),
                                           .concurrency = 6.77},
                                          {.source = "club-3090#612",
                                           .model = "Qwen/Qwen3.6-35B-A3B-NVFP4",
                                           .card = "rtx5090",
                                           .engine = "vllm@0.24.0",
                                           .settings = {.max_model_len = 131072,
                                                        .max_num_seqs = 1,
                                                        .max_batched_tokens = 8192,
                                                        .kv = KvFormat::kFp8},
                                           .kv_cache = 5.98,
                                           .concurrency = 4.33},
                                          {.source = "club-3090#1047",
                                           .model = "Qwen/Qwen3.8-27B-NVFP4",
                                           .card = "rtx-a6000",
                                           .engine = "vllm@0.27.0",
                                           .weights = 19.75},
                                          {.source = "vllm#6746",
                                           .model = "Meta-Llama-3.1-405B-Instruct-FP8",
                                           .card = "h100",
                                           .engine = "vllm@0.5.3",
                                           .tensor = 8,
                                           .weights = 57.752}};
  return kStarts;
}

void within(double value, double truth, double percent, std::string_view what) {
  if (truth == 0) return;
  EXPECT_NEAR(value, truth, std::abs(truth) * percent / 100) << what;
}

TEST(Memory, IsWhatStartUpLogsPrint) {
  for (const auto& s : starts()) {
    const auto b = budget(s);
    within(b.weights_gib, s.weights, 2, fmt::format("weights of {}", s.source));
    within(b.kv_cache_gib, s.kv_cache, 3, fmt::format("pool of {}", s.source));
    within(b.max_concurrency, s.concurrency, 3, fmt::format("concurrency of {}", s.source));
    EXPECT_FALSE(b.fits && s.kv_cache < 0) << s.source;
  }
}

TEST(KvPool, OfAHybridCountsItsStateAsPages) {
  const auto layout = kv_layout(model("Qwen/Qwen3.6-35B-A3B"), KvFormat::kFp8, {}, {.recurrent_pages = 2});
  EXPECT_EQ(layout.block_tokens, 2096);
  EXPECT_EQ(kv_layout(model("Qwen/Qwen3.8-27B"), KvFormat::kFp8, {}, {}).block_tokens,
            1568);  // club-3090#1047
}

TEST(KvPool, OfLatentAttentionIsReplicated) {  // a start-up log of Kimi K2: 46.80 GiB, 715,072 tokens on TP8
  const auto m = model("moonshotai/Kimi-K2-Instruct");
  const auto layout = kv_layout(m, KvFormat::kFloat16, {.tensor = 8}, {});
  within(static_cast<double>(blocks_in(layout, 46.80 * kGib) * layout.block_tokens), 715072, 0.1, "tokens");
}

TEST(KvPool, SmallerTokensFillPagesWithMoreOfThem) {  // a start-up log of 0.25.1: 84.68 GiB, 14.92 requests
  const auto layout =
      kv_layout(model("google/gemma-4-26B-A4B"), KvFormat::kFloat16, {}, {.max_batched_tokens = 2496});
  EXPECT_EQ(layout.full_block_tokens, 32);
  EXPECT_NEAR(max_concurrency(layout, 84.68 * kGib, 262144), 14.92, 0.01);
}

TEST(KvPool, OfSglangIsAShareOfWhatTheRanksLeave) {  // vllm#21348: K and V of 8.23 GiB each
  auto settings = EngineSettings{.engine = parse_engine("sglang@0.4.9").value(), .utilization = 0.93};
  const auto m = model("Qwen/Qwen3-235B-A22B-FP8");
  const auto b = memory_budget(m, quantization_scheme("", m).value(), on("h100"), {.tensor = 4}, settings, 0);
  within(b.kv_cache_gib, 16.46, 3, "pool of SGLang");
}

TEST(Fit, SaysWhatIsMissing) {
  const auto b = budget({.model = "Llama-3.1-70B", .card = "h100", .engine = "vllm@0.21"});
  EXPECT_FALSE(b.fits);
  EXPECT_THAT(b.reason, testing::HasSubstr("weights need"));
}

TEST(Engines, AreNamedAsPeopleAndTablesWrite) {
  for (const auto* name : {"vllm@0.21.0", "vllm==0.21.0", "vLLM 0.21.0", "vllm:0.21.0", "vllm@v0.21.0"}) {
    const auto engine = parse_engine(name);
    ASSERT_TRUE(engine) << name;
    EXPECT_EQ(engine->version.text, "0.21.0") << name;
    EXPECT_EQ(engine->version.minor, 21) << name;
  }
  EXPECT_EQ(parse_engine("tensorrt_llm==1.0.0rc3")->engine, Engine::kTensorRtLlm);
  EXPECT_EQ(parse_engine("vllm@0.2x")->version.minor, 20);
  EXPECT_EQ(parse_engine("vllm@0.6.x")->version.minor, 6);
  EXPECT_FALSE(parse_engine("tgi"));
}

TEST(Parameters, AddUpToPublishedTotals) {
  const auto billions = [](std::string_view name) {
    return static_cast<double>(total(parameters(model(name)))) / 1e9;
  };
  for (const auto& [name, published, percent] :
       {std::tuple{"Qwen/Qwen3-235B-A22B", 235.09, 0.5},
        {"deepseek-ai/DeepSeek-R1", 671.03, 0.5},
        {"openai/gpt-oss-120b", 116.83, 0.1},
        {"Qwen/Qwen3.5-27B", 26.89, 0.5},
        {"Qwen/Qwen3-Next-80B-A3B", 79.67, 0.5},
        {"Qwen/Qwen3.5-397B-A17B", 396.34, 0.5},
        {"meta-llama/Llama-4-Maverick-17B-128E-Instruct", 400.71, 0.5},
        {"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", 31.6, 1.0},
        {"nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", 120.6, 1.0},
        {"nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", 550, 1.0},
        {"moonshotai/Kimi-K3", 2780, 2.0}})
    within(billions(name), published, percent, name);
  EXPECT_NEAR(static_cast<double>(active_parameters(model("Qwen/Qwen3-235B-A22B"))) / 1e9, 22.19, 0.2);
}

}  // namespace
}  // namespace etiage::serving
