#include <gmock/gmock.h>

#include "catalog/facts.h"

namespace etiage::catalog {
namespace {

TEST(Cards, AreFoundByAnyUsualName) {
  for (const auto* name : {"H100", "h100_sxm", "NVIDIA-H100-80GB-HBM3", "h100-sxm-80gb", "H100-80GB"})
    EXPECT_EQ(find_card(name, cards())->key, "h100-sxm-80gb") << name;
  EXPECT_EQ(find_card("Tesla-T4-SHARED", cards())->key, "t4");
  EXPECT_EQ(find_card("A100-SXM4-40GB-MIG-1g.5gb", cards())->key, "a100-sxm-40gb");
  EXPECT_EQ(find_card("b200_sxm", cards())->key, "b200-sxm-180gb");
  EXPECT_EQ(find_card("L40S", cards())->key, "l40s");
}

TEST(Cards, AmbiguousAndUnknownNamesAreRefused) {
  EXPECT_THAT(find_card("A100", cards()).error().message,
              testing::HasSubstr("a100-sxm-40gb, a100-sxm-80gb, a100-pcie-80gb"));
  EXPECT_THAT(find_card("Z9000", cards()).error().message, testing::HasSubstr("not known"));
  EXPECT_FALSE(find_card("", cards()));
}

TEST(Cards, ALabelNamesItsSlice) {
  EXPECT_EQ(mig_profile_in("NVIDIA-H100-80GB-HBM3-MIG-1g.10gb"), "1g.10gb");
  EXPECT_EQ(mig_profile_in("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb.me"), "1g.5gb+me");
  EXPECT_EQ(mig_profile_in("NVIDIA-H100-80GB-HBM3"), "");
}

TEST(Mig, SlicesAreWhatRealCardsList) {
  EXPECT_EQ(mig_slice("h100-sxm-80gb", "3g.40gb")->sms, 60);
  EXPECT_EQ(mig_slice("h100-sxm-80gb", "1g.20gb")->sms, 26);
  EXPECT_NEAR(mig_slice("a100-sxm-80gb", "1g.10gb")->memory_gib, 9.5, 0.01);
  EXPECT_FALSE(mig_slice("gb300", "1g.35gb")->verified);
  EXPECT_FALSE(mig_slice("l40s", "1g.10gb"));
}

Tree row(std::vector<Tree::Member> members) {
  return Tree::map(std::move(members));
}

Tree table(std::string name, Tree only_row) {
  return Tree::map({{std::move(name), Tree::sequence({std::move(only_row)})}});
}

TEST(Facts, OfAUserLieOverOurs) {
  const auto facts = facts_with(builtin_facts(),
                                table("cards", row({{"card", Tree::string("h100-acme-96gb")},
                                                    {"like", Tree::string("h100-sxm-80gb")},
                                                    {"visible_gib", Tree::number("93.1")}})),
                                "own.yaml");
  ASSERT_TRUE(facts) << facts.error().message;
  const auto own = find_card("h100-acme-96gb", facts->cards);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->visible_gib, 93.1);
  EXPECT_EQ(own->bandwidth_gbs, 3350);
  EXPECT_EQ(own->source, "own.yaml");
  EXPECT_EQ(find_card("h100", facts->cards)->key, "h100-sxm-80gb");
  const auto longer = facts_with(builtin_facts(),
                                 table("models", row({{"model", Tree::string("Qwen/Qwen3-8B")},
                                                      {"max_position", Tree::number("131072")}})),
                                 "own.yaml");
  EXPECT_EQ(find_model("Qwen3-8B", longer->models)->max_position, 131072);
}

TEST(Facts, OfAUserAreRefusedWhereTheyMakeNoSense) {
  const auto refused = [](Tree overrides) {
    const auto facts = facts_with(builtin_facts(), overrides, "own.yaml");
    return facts ? std::string() : facts.error().message;
  };
  EXPECT_THAT(refused(table("gpus", row({}))), testing::HasSubstr("no table \"gpus\""));
  EXPECT_THAT(refused(table("cards", row({}))), testing::HasSubstr("without its card"));
  EXPECT_THAT(refused(table("cards", row({{"card", Tree::string("x")}}))),
              testing::HasSubstr("lacks its memory"));
  EXPECT_THAT(refused(table("cards", row({{"card", Tree::string("t4")}, {"colour", Tree::string("red")}}))),
              testing::HasSubstr("no column \"colour\""));
  EXPECT_THAT(
      refused(table("cards", row({{"card", Tree::string("t4")}, {"visible_gib", Tree::string("much")}}))),
      testing::HasSubstr("not a number"));
  EXPECT_THAT(refused(table("cards", row({{"card", Tree::string("x")}, {"like", Tree::string("y")}}))),
              testing::HasSubstr("names no row"));
  const auto like = [&](const char* table_name, const char* key, const char* known, const char* column,
                        const char* value) {
    return refused(
        table(table_name,
              row({{key, Tree::string("x")}, {"like", Tree::string(known)}, {column, Tree::string(value)}})));
  };
  EXPECT_THAT(like("cards", "card", "t4", "visible_gib", "nan"), testing::HasSubstr("not a number"));
  EXPECT_THAT(like("cards", "card", "t4", "visible_gib", "-5"), testing::HasSubstr("negative"));
  EXPECT_THAT(like("cards", "card", "h100-sxm-80gb", "sms", "1.5"), testing::HasSubstr("not a whole number"));
  EXPECT_THAT(like("models", "model", "Qwen/Qwen3-8B", "hidden", "4.5"), testing::HasSubstr("whole number"));
  EXPECT_THAT(like("models", "model", "Qwen/Qwen3-8B", "heads", "0"), testing::HasSubstr("no heads"));
  EXPECT_THAT(like("models", "model", "Qwen/Qwen3-8B", "experts", "99999999999"),
              testing::HasSubstr("beyond what makes sense"));
  EXPECT_THAT(refused(table("mig", row({{"card", Tree::string("a30")},
                                        {"profile", Tree::string("9g.6gb")},
                                        {"memory_gib", Tree::number("5.8")}}))),
              testing::HasSubstr("is not known"));
}

TEST(Models, AreFoundByAnyUsualName) {
  EXPECT_EQ(find_model("meta-llama/Llama-3.1-8B-Instruct", models())->layers, 32);
  EXPECT_EQ(find_model("Llama-3.3-70B", models())->layers, 80);
  EXPECT_EQ(find_model("nvidia/DeepSeek-R1-NVFP4", models())->native_quantization, "nvfp4");
  EXPECT_EQ(find_model("Qwen/Qwen3-235B-A22B-FP8", models())->native_quantization, "fp8_block");
  EXPECT_EQ(find_model("Meta-Llama-3.1-70B-Instruct-w8a8", models())->native_quantization, "int8");
  EXPECT_EQ(find_model("zhipuai/GLM-5", models())->name, "zhipuai/GLM-5");
  EXPECT_EQ(find_model("nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", models())->native_quantization, "fp8");
  EXPECT_EQ(find_model("nvidia/Nemotron-3-Super-120B-A12B", models())->native_quantization, "");
  EXPECT_EQ(find_model("google/gemma-4-31B", models())->native_quantization, "");
  EXPECT_EQ(find_model("nvidia/Gemma-4-31B-IT-NVFP4", models())->native_quantization, "nvfp4");
  EXPECT_EQ(find_model("meta-llama/Llama-3.1-405B-FP8", models())->native_quantization, "fp8");
}

TEST(Models, UnknownNamesAreRefusedWithWhatIsNear) {
  const auto none = find_model("Qwen/Qwen9-900B", models());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, testing::HasSubstr("config.json"));
}

}  // namespace
}  // namespace etiage::catalog
