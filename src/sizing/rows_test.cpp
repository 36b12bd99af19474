#include "sizing/rows.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "catalog/cards.h"

namespace etiage::sizing {
namespace {

using Cells = std::vector<std::string>;

std::vector<Cells> answers(std::string_view csv) {
  const Sources sources{catalog::models(), catalog::cards(), catalog::mig_slices(),
                        &serving::builtin_coefficients()};
  std::vector<Cells> out;
  auto done = answer_rows(csv, "rows.csv", sources, false,
                          [&](const Cells&, const Cells& added) { out.push_back(added); });
  EXPECT_TRUE(done);
  return out;
}

constexpr std::string_view kHeader =
    "model,card,engine,quantization,tensorParallel,input,output,concurrency\n";

Cells one(std::string_view row) {
  return answers(std::string(kHeader) + std::string(row) + "\n").front();
}

TEST(Rows, AMeasuredConfigurationIsCalibratedAndHasABand) {
  const auto a = one("meta-llama/Llama-3.1-70B,h200_sxm,vllm,fp8,4,1024,1024,32");
  EXPECT_EQ(a[0], "true");
  EXPECT_EQ(a[9], "calibrated");
  EXPECT_LT(std::stod(a[6]), std::stod(a[5]));
  EXPECT_LT(std::stod(a[5]), std::stod(a[7]));
  EXPECT_NEAR(std::stod(a[5]), 15, 5);
}

TEST(Rows, AModelThatNobodyMeasuredGetsThePrior) {
  EXPECT_EQ(one("Qwen/Qwen3-32B,l40s,vllm@0.21,fp8,2,1024,256,8")[9], "prior");
}

TEST(Rows, WhatCannotStartGetsAReasonAndNoRate) {
  const auto a = one("meta-llama/Llama-3.1-405B,H100,vllm@0.21,,4,1024,1024,32");
  EXPECT_EQ(a[0], "false");
  EXPECT_THAT(a[1], testing::HasSubstr("weights need"));
  EXPECT_EQ(a[5], "");
}

TEST(Rows, AFaultyRowIsRefusedAndTheRestGoesOn) {
  const auto all =
      answers(std::string(kHeader) +
              "meta-llama/Llama-3.1-8B,h100,vllm,,1,-5,100,1\nnobody/knows,h100,vllm,,1,5,100,1\n"
              "meta-llama/Llama-3.1-8B,A100,vllm,,1,5,100,1\nmeta-llama/"
              "Llama-3.1-8B,h100,vllm,fp99,1,5,100,1\nmeta-llama/Llama-3.1-8B,h100,vllm,,x,5,100,1\n"
              "meta-llama/Llama-3.1-8B,h100,vllm,,1,500,100,1\n");
  ASSERT_EQ(all.size(), 6U);
  EXPECT_THAT(all[0][1], testing::HasSubstr("input must be positive"));
  EXPECT_THAT(all[1][1], testing::HasSubstr("not known"));
  EXPECT_THAT(all[2][1], testing::HasSubstr("may be any of"));
  EXPECT_THAT(all[3][1], testing::HasSubstr("fp99"));
  EXPECT_THAT(all[4][1], testing::HasSubstr("tensorParallel"));
  EXPECT_EQ(all[5][0], "true");
}

TEST(Rows, ColumnsAreNamedAsTheFlagsToo) {
  const auto row = "Qwen/Qwen3-32B,H100,8,4096,1000,100\n";
  const auto own = answers(std::string("model,card,tensorParallel,maxModelLen,input,output\n") + row);
  EXPECT_EQ(answers(std::string("model,card,tp,max-model-len,input,output\n") + row), own);
  EXPECT_EQ(answers(std::string("Model,Card,tensor_parallel,max_model_len,Input,Output\n") + row), own);
  // a column's own name goes before another spelling of it
  EXPECT_EQ(
      answers(
          "model,card,tp,tensorParallel,maxModelLen,input,output\nQwen/Qwen3-32B,H100,1,8,4096,1000,100\n"),
      own);
}

TEST(Rows, EarlierAnswersAreReplacedAndNamesStandOnce) {
  EXPECT_THAT(*carried_columns({"model", "fits", "note", "tpotMs", "key.model"}, "rows.csv", false),
              testing::ElementsAre(0, 2, 4));
  EXPECT_FALSE(carried_columns({"model", "input", "input"}, "rows.csv", false));
}

TEST(Rows, ALabelOfASliceIsTheSlice) {
  const std::string header = "model,card,migProfile,input,output\n";
  EXPECT_EQ(answers(header + "Qwen/Qwen3-0.6B,NVIDIA-H100-80GB-HBM3-MIG-1g.10gb,,1000,100\n"),
            answers(header + "Qwen/Qwen3-0.6B,H100,1g.10gb,1000,100\n"));
}

TEST(Rows, ARequestLongerThanTheModelOrTheEngineTakesIsRefused) {
  EXPECT_THAT(one("Qwen/Qwen3-8B,H100,vllm,fp8,1,100000,100,8")[1], testing::HasSubstr("40960 positions"));
  const auto tight =
      answers("model,card,maxModelLen,input,output\nQwen/Qwen3-8B,H100,4096,8000,100\n").front();
  EXPECT_EQ(tight[0], "false");
  EXPECT_THAT(tight[1], testing::HasSubstr("max-model-len 4096"));
}

TEST(Rows, WhatIsMissingIsNamed) {
  EXPECT_EQ(one(",H100,vllm,fp8,1,1000,100,8")[1], "model is missing");
  EXPECT_EQ(one("Qwen/Qwen3-8B,,vllm,fp8,1,1000,100,8")[1], "card is missing");
}

TEST(Memory, FewerSequencesAreThoseThatLetMostRunAtOnce) {
  // before 0.17 the sampler's scratch of 1,024 sequences leaves gpt-oss-120b no cache on an H100
  Question q{.model = catalog::find_model("openai/gpt-oss-120b", catalog::models()).value(),
             .device = device_of(catalog::find_card("h100", catalog::cards()).value()),
             .work = serving::Workload{1024, 1024, 64}};
  q.settings.engine = serving::parse_engine("vllm@0.14.1").value();
  const auto at_once = [](const serving::MemoryBudget& m) {
    return m.fits ? std::min(m.max_concurrency, static_cast<double>(m.max_num_seqs)) : 0;
  };
  const auto chosen = answer(q, serving::builtin_coefficients())->memory;
  EXPECT_THAT(chosen.note, testing::HasSubstr("--max-num-seqs"));
  for (const int seqs : {8, 16, 32, 64, 128, 256, 512}) {
    q.settings.max_num_seqs = seqs;
    EXPECT_GE(at_once(chosen), at_once(answer(q, serving::builtin_coefficients())->memory)) << seqs;
  }
}

TEST(Rows, TheEngineVersionMovesTheAnswer) {
  EXPECT_NE(one("deepseek-ai/DeepSeek-R1,b200_sxm,trtllm@1.2.0rc6.post2,fp8,8,8192,1024,16")[5],
            one("deepseek-ai/DeepSeek-R1,b200_sxm,trtllm@1.2.0rc6.post3,fp8,8,8192,1024,16")[5]);
}

TEST(Splits, ATableThatMultipliesAttentionAndExpertRanksIsUnderstood) {
  const auto r1 = catalog::find_model("deepseek-ai/DeepSeek-R1", catalog::models()).value();
  const auto b200 = device_of(catalog::find_card("b200", catalog::cards()).value());
  EXPECT_EQ(understood({.tensor = 64, .expert = 8}, r1, b200),
            (serving::Parallelism{.tensor = 8, .expert = 8}));
  EXPECT_EQ(understood({.tensor = 1, .data = 64, .expert = 8}, r1, b200),
            (serving::Parallelism{.tensor = 1, .data = 8, .expert = 8}));
  EXPECT_EQ(understood({.tensor = 8}, r1, b200), (serving::Parallelism{.tensor = 8}));
}

/// TTFT and TPOT of a model that nobody measured, where the cache holds all requests.
std::pair<double, double> times(const std::string& card, int tensor, int in, int out, int c) {
  const auto a = one("Qwen/Qwen3-14B," + card + ",vllm@0.21,fp8," + std::to_string(tensor) + "," +
                     std::to_string(in) + "," + std::to_string(out) + "," + std::to_string(c));
  return {std::stod(a[2]), std::stod(a[5])};
}

RC_GTEST_PROP(Times, NeverFallWithLoadOrLengthNorRiseWithTheCard, ()) {
  const auto c = *rc::gen::inRange(1, 16), in = *rc::gen::inRange(16, 4000), out = *rc::gen::inRange(2, 1000);
  const auto [first, token] = times("h100", 1, in, out, c);
  const auto no_less = [&, first = first, token = token](const std::pair<double, double>& other) {
    return other.first >= first * 0.9999 && other.second >= token * 0.9999;  // as far as they are printed
  };
  RC_ASSERT(no_less(times("h100", 1, in, out, c + *rc::gen::inRange(1, 8))));
  RC_ASSERT(no_less(times("h100", 1, in + *rc::gen::inRange(1, 4000), out, c)));
  RC_ASSERT(no_less(times("l40s", 1, in, out, c)));
  const auto of = [&](const char* card) { return times(card, 1, in, out, c); };
  RC_ASSERT(of("h200").second <= token * 1.0001);
  RC_ASSERT(of("b200").second <= of("h200").second * 1.0001);
  RC_ASSERT(times("h100", 2, in, out, c).second <= token * 1.0001);
}

TEST(Times, BelowTheMeasuredLoadsFollowThePrior) {
  double last = 0;
  for (const int c : {1, 2, 3, 4}) {
    const auto a =
        one("meta-llama/Llama-3.1-8B,h100_sxm,trtllm@1.0.0rc3,bf16,8,1024,1024," + std::to_string(c));
    EXPECT_EQ(a[9], "calibrated");
    EXPECT_GE(std::stod(a[5]), last) << c;
    last = std::stod(a[5]);
  }
}

TEST(Times, OfARackAreNotThoseOfAPromptThatStallsAllRanks) {
  // 72 ranks of which a few prefill at a time: measured at 32 ms
  const std::string header = "model,card,engine,quantization,tensorParallel,input,output,concurrency\n";
  EXPECT_LT(
      std::stod(answers(header + "deepseek-ai/DeepSeek-V3.2,gb200,sglang,fp8,72,8192,1024,2048\n")[0][5]),
      64);
}

RC_GTEST_PROP(Times, GrowWithTheModelAndLieInTheirBand, ()) {
  const auto c = *rc::gen::inRange(1, 512);
  const auto in = *rc::gen::inRange(16, 20000), out = *rc::gen::inRange(2, 4000);
  const auto row = [&](const char* model) {
    return one(std::string(model) + ",h200,vllm@0.21,fp8,1," + std::to_string(in) + "," +
               std::to_string(out) + "," + std::to_string(c));
  };
  const auto a = row("Qwen/Qwen3-8B");
  RC_ASSERT(a[0] == "true");
  RC_ASSERT(std::stod(a[2]) > 0 && std::stod(a[3]) <= std::stod(a[2]) && std::stod(a[2]) <= std::stod(a[4]));
  RC_ASSERT(std::stod(a[5]) > 0 && std::stod(a[6]) <= std::stod(a[5]) && std::stod(a[5]) <= std::stod(a[7]));
  RC_ASSERT(std::stod(row("Qwen/Qwen3-1.7B")[5]) <= std::stod(a[5]));
}

}  // namespace
}  // namespace etiage::sizing
