#include <gmock/gmock.h>

#include "catalog/cards.h"
#include "catalog/models.h"

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

TEST(Mig, SlicesAreWhatRealCardsList) {
  EXPECT_EQ(mig_slice("h100-sxm-80gb", "3g.40gb")->sms, 60);
  EXPECT_EQ(mig_slice("h100-sxm-80gb", "1g.20gb")->sms, 26);
  EXPECT_NEAR(mig_slice("a100-sxm-80gb", "1g.10gb")->memory_gib, 9.5, 0.01);
  EXPECT_FALSE(mig_slice("gb300", "1g.35gb")->verified);
  EXPECT_FALSE(mig_slice("l40s", "1g.10gb"));
}

TEST(Models, AreFoundByAnyUsualName) {
  EXPECT_EQ(find_model("meta-llama/Llama-3.1-8B-Instruct", models())->layers, 32);
  EXPECT_EQ(find_model("Llama-3.3-70B", models())->layers, 80);
  EXPECT_EQ(find_model("nvidia/DeepSeek-R1-NVFP4", models())->native_quantization, "nvfp4");
  EXPECT_EQ(find_model("Qwen/Qwen3-235B-A22B-FP8", models())->native_quantization, "fp8_block");
  EXPECT_EQ(find_model("Meta-Llama-3.1-70B-Instruct-w8a8", models())->native_quantization, "int8");
  EXPECT_EQ(find_model("zhipuai/GLM-5", models())->name, "zhipuai/GLM-5");
}

TEST(Models, UnknownNamesAreRefusedWithWhatIsNear) {
  const auto none = find_model("Qwen/Qwen9-900B", models());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, testing::HasSubstr("config.json"));
}

}  // namespace
}  // namespace etiage::catalog
