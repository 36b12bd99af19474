// The shapes are those that the tools' own documentation shows.

#include "formats/bench_result.h"

#include <gmock/gmock.h>

#include "formats/document.h"

namespace etiage::formats {
namespace {

std::vector<BenchResult> results(const std::string& text) {
  Diagnostics faults;
  const auto documents = read_documents(text, "result.json", faults);
  return documents.empty() ? std::vector<BenchResult>() : read_bench_results(documents.front());
}

TEST(BenchResult, OfVllm) {
  EXPECT_EQ(
      results(
          R"({"model_id":"Qwen/Qwen3-8B","completed":100,"total_input_tokens":102400,"total_output_tokens":25600,
      "max_concurrency":16,"mean_ttft_ms":85.5,"mean_tpot_ms":11.25,"duration":30.0})"),
      std::vector<BenchResult>({{"vllm bench serve", "Qwen/Qwen3-8B", 1024, 256, "", 16, 85.5, 11.25}}));
}

TEST(BenchResult, OfSeveralRunsInOneList) {
  const std::string run =
      R"({"model_id":"m","completed":10,"total_input_tokens":1000,"total_output_tokens":1000,"mean_ttft_ms":100,
      "mean_tpot_ms":10,"max_concurrency":4,"backend":"openai-chat"})";
  EXPECT_EQ(results("[" + run + "," + run + "]").size(), 2U);
  EXPECT_EQ(results(run).front().engine, "");
}

TEST(BenchResult, OfVllmWithoutALimitFollowsLittlesLaw) {
  const auto r =
      results(R"({"model_id":"m","completed":100,"total_input_tokens":1000,"total_output_tokens":1000,
      "mean_ttft_ms":100,"mean_tpot_ms":100,"duration":50})");
  ASSERT_EQ(r.size(), 1U);
  EXPECT_NEAR(*r[0].concurrency, 2.0, 1e-9);  // 2 a second, each in flight for 100 + 9 x 100 ms
}

TEST(BenchResult, OfSglang) {
  const auto r =
      results(R"({"backend":"sglang","completed":10,"total_input_tokens":1000,"total_output_tokens":500,
      "concurrency":3.5,"mean_ttft_ms":40,"mean_tpot_ms":9,"duration":10})");
  ASSERT_EQ(r.size(), 1U);
  EXPECT_EQ(r[0].tool, "sglang bench_serving");
  EXPECT_EQ(r[0].engine, "sglang");
  EXPECT_EQ(r[0].concurrency, 3.5);
}

TEST(BenchResult, OfGuidellm) {
  const auto r = results(R"({"args":{"model":"m"},"benchmarks":[{"metrics":{
      "prompt_token_count":{"successful":{"mean":512}},"output_token_count":{"successful":{"mean":128}},
      "request_concurrency":{"successful":{"mean":4.2}},"time_to_first_token_ms":{"successful":{"mean":70}},
      "inter_token_latency_ms":{"successful":{"mean":8.5}}}},{"metrics":{}}]})");
  EXPECT_EQ(r, std::vector<BenchResult>({{"guidellm", "m", 512, 128, "", 4.2, 70, 8.5}}));
}

TEST(BenchResult, OfGenaiPerfAndAiperf) {
  const std::string metrics =
      R"("time_to_first_token":{"unit":"ms","avg":60.5},"inter_token_latency":{"unit":"us","avg":9500},
      "input_sequence_length":{"unit":"tokens","avg":550},"output_sequence_length":{"unit":"tokens","avg":150})";
  EXPECT_EQ(results("{" + metrics +
                    R"(,"input_config":{"model":["m"],"perf_analyzer":{"stimulus":{"concurrency":8}}}})"),
            std::vector<BenchResult>({{"genai-perf", "m", 550, 150, "", 8, 60.5, 9.5}}));
  EXPECT_EQ(results("{" + metrics +
                    R"(,"input_config":{"endpoint":{"model_names":["m"]},"loadgen":{"concurrency":10}}})"),
            std::vector<BenchResult>({{"aiperf", "m", 550, 150, "", 10, 60.5, 9.5}}));
}

TEST(BenchResult, OfOtherDocumentsIsNone) {
  for (const auto* text :
       {"{}", "[]", "5", R"({"completed":0,"mean_ttft_ms":1,"total_input_tokens":1,"total_output_tokens":1})",
        R"({"benchmarks":"none"})"})
    EXPECT_TRUE(results(text).empty()) << text;
}

}  // namespace
}  // namespace etiage::formats
