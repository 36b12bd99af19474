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
                          [&](const Cells&, const Cells&, const Cells& added) { out.push_back(added); });
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
