#include "formats/engine_log.h"

#include <gmock/gmock.h>

#include "formats/bench_result.h"
#include "formats/document.h"

namespace etiage::formats {
namespace {

TEST(EngineLog, ReadsTwoEnginesOfOneLog) {
  const auto starts = read_engine_log(
      "INFO [core.py:96] Initializing a V1 LLM engine (v0.15.0rc2) with config: model='a/b', "
      "max_seq_len=8192\n"
      "INFO Model loading took 5.32 GiB memory and 1.6 seconds\nINFO Available KV cache memory: 64.73 "
      "GiB\nINFO GPU KV cache size: 530,288 tokens\n"
      "INFO [core.py:96] Initializing a V1 LLM engine (v0.15.0rc2) with config: model='c/d'\nINFO Model "
      "loading took 14.96 GiB memory\n");
  ASSERT_EQ(starts.size(), 2U);
  EXPECT_EQ(starts[0].model, "a/b");
  EXPECT_EQ(starts[0].kv_cache_tokens, 530288);
  EXPECT_DOUBLE_EQ(*starts[0].kv_cache_gib, 64.73);
  EXPECT_DOUBLE_EQ(*starts[1].weights_gib, 14.96);
}

TEST(EngineLog, ThePoolIsTheLeastOfTheRanks) {
  const auto starts = read_engine_log(
      "total_gpu_memory=44.42GiB\nMemory profiling results: total_gpu_memory=44.42GiB "
      "kv_cache_size=31.68GiB\nMemory profiling results: kv_cache_size=30.55GiB\n");
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_DOUBLE_EQ(*starts[0].kv_cache_gib, 30.55);
}

TEST(BenchResults, ReadTheToolsOfTheTrade) {
  Diagnostics none;
  const auto vllm = read_bench_results(
      read_documents(
          R"({"model_id":"m","completed":100,"total_input_tokens":102400,"total_output_tokens":12800,"mean_ttft_ms":90.5,"mean_tpot_ms":11.2,"max_concurrency":8})",
          "r", none)
          .at(0));
  ASSERT_EQ(vllm.size(), 1U);
  EXPECT_DOUBLE_EQ(vllm[0].input, 1024);
  EXPECT_DOUBLE_EQ(*vllm[0].concurrency, 8);
  const auto perf = read_bench_results(
      read_documents(
          R"({"time_to_first_token":{"unit":"ms","avg":30},"inter_token_latency":{"unit":"ms","avg":7},"input_sequence_length":{"avg":500},"output_sequence_length":{"avg":100}})",
          "r", none)
          .at(0));
  ASSERT_EQ(perf.size(), 1U);
  EXPECT_DOUBLE_EQ(*perf[0].token_ms, 7);
  EXPECT_TRUE(read_bench_results(read_documents(R"({"hello":1})", "r", none).at(0)).empty());
}

}  // namespace
}  // namespace etiage::formats
