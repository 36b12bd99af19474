#include "formats/engine_log.h"

#include <gmock/gmock.h>

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

TEST(EngineLog, PassesOverNumbersThatNoEngineHas) {
  const std::string line = "Memory profiling results: kv_cache_size=30.55GiB max_num_batched_tokens=";
  EXPECT_EQ(read_engine_log(line + "8192\n").at(0).max_batched_tokens, 8192);
  EXPECT_EQ(read_engine_log(line + "222222222222000000000\n").at(0).max_batched_tokens, std::nullopt);
}

TEST(EngineLog, ReadsTheSentenceOfOlderEngines) {
  const auto starts = read_engine_log(
      "INFO 03-01 worker.py:267] the current vLLM instance can use total_gpu_memory (22.06GiB) x "
      "gpu_memory_utilization (0.90) = 19.85GiB\nINFO 03-01 worker.py:267] model weights take 2.88GiB; "
      "non_torch_memory takes 0.05GiB; PyTorch activation peak memory takes 1.40GiB; the rest of the memory "
      "reserved for KV Cache is 15.52GiB.\n");
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_DOUBLE_EQ(*starts[0].total_gib, 22.06);
  EXPECT_DOUBLE_EQ(*starts[0].utilization, 0.9);
  EXPECT_DOUBLE_EQ(*starts[0].weights_gib, 2.88);
  EXPECT_DOUBLE_EQ(*starts[0].non_torch_gib, 0.05);
  EXPECT_DOUBLE_EQ(*starts[0].kv_cache_gib, 15.52);
}

TEST(EngineLog, ReadsTheSummaryOfNewerEngines) {
  const auto starts = read_engine_log(
      "Initializing a V1 LLM engine (v0.10.2) with config: model='Qwen/Qwen3-Next-80B-A3B-Instruct', "
      "max_seq_len=262144, tensor_parallel_size=2\nFree memory on device (139.21/139.81 GiB) on startup. "
      "Desired GPU "
      "memory utilization is (0.9, 125.83 GiB). Actual usage is 74.28 GiB for weight, 5.58 GiB for peak "
      "activation, "
      "1.38 GiB for non-torch memory, and 2.37 GiB for CUDAGraph memory.\n");
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(starts[0].tensor_parallel, 2);
  EXPECT_DOUBLE_EQ(*starts[0].weights_gib, 74.28);
  EXPECT_DOUBLE_EQ(*starts[0].utilization, 0.9);
  EXPECT_DOUBLE_EQ(*starts[0].total_gib, 139.81);
}

TEST(EngineLog, ReadsSglang) {
  const auto starts = read_engine_log(
      "[2026-08-18 10:00:00] server_args=ServerArgs(model_path='Qwen/Qwen3-8B', tp_size=2, "
      "mem_fraction_static=0.88)\n"
      "[2026-08-18 10:00:00 TP0] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail "
      "mem=62.00 GB, mem "
      "usage=15.27 GB.\n"
      "[2026-08-18 10:00:00 TP0] KV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.25 GB\n");
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_EQ(starts[0].engine, "sglang");
  EXPECT_EQ(starts[0].model, "Qwen/Qwen3-8B");
  EXPECT_EQ(starts[0].tensor_parallel, 2);
  EXPECT_DOUBLE_EQ(*starts[0].weights_gib, 15.27);
  EXPECT_NEAR(*starts[0].kv_cache_gib, 16.48, 1e-9);
  EXPECT_EQ(starts[0].kv_cache_tokens, 367404);
}

}  // namespace
}  // namespace etiage::formats
