#include <cstring>
#include <gmock/gmock.h>

#include "formats/document.h"
#include "formats/models/hf_config.h"
#include "formats/models/tensors.h"

namespace etiage::formats {
namespace {

Result<ModelSpec> config(const std::string& text) {
  Diagnostics faults;
  const auto documents = read_documents(text, "config.json", faults);
  return read_hf_config(documents.at(0), "test", "config.json");
}

TEST(HfConfig, ReadsADenseModel) {
  const auto m = config(
      R"({"model_type":"qwen3","hidden_size":5120,"num_hidden_layers":64,"num_attention_heads":64,"num_key_value_heads":8,
    "head_dim":128,"intermediate_size":25600,"vocab_size":151936,"max_position_embeddings":40960,"tie_word_embeddings":false})");
  ASSERT_TRUE(m);
  EXPECT_EQ(m->attention, (AttentionShape{64, 8, 128, 128}));
  EXPECT_EQ(m->full_layers, 64);
}

TEST(HfConfig, ReadsWindowsMixturesAndQuantization) {
  const auto m = config(
      R"({"model_type":"gpt_oss","hidden_size":2880,"num_hidden_layers":4,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,
    "intermediate_size":2880,"vocab_size":201088,"num_local_experts":128,"num_experts_per_tok":4,"sliding_window":128,
    "layer_types":["sliding_attention","full_attention","sliding_attention","full_attention"],
    "quantization_config":{"quant_method":"mxfp4","modules_to_not_convert":["model.layers.*.self_attn","model.layers.*.mlp.router","lm_head"]}})");
  ASSERT_TRUE(m);
  EXPECT_EQ(m->window_layers, 2);
  EXPECT_EQ(m->moe->experts, 128);
  EXPECT_EQ(m->native_quantization, "mxfp4");
  EXPECT_EQ(m->unquantized, "attention,router,head");
}

TEST(HfConfig, RefusesWhatItDoesNotKnowAndSaysWhatIsMissing) {
  EXPECT_THAT(config(R"({"model_type":"quantum_llama"})").error().message,
              testing::HasSubstr("quantum_llama"));
  const auto none = config(R"({"model_type":"llama","hidden_size":-5})");
  EXPECT_THAT(none.error().message, testing::AllOf(testing::HasSubstr("num_hidden_layers is missing"),
                                                   testing::HasSubstr("hidden_size is -5")));
}

TEST(Safetensors, CountsBytesByKindAndRefusesAHugeHeader) {
  const std::string json =
      R"({"model.layers.0.self_attn.q_proj.weight":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]},"lm_head.weight":{"dtype":"BF16","shape":[1,2],"data_offsets":[8,12]}})";
  std::uint64_t length = json.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  CheckpointBytes bytes{};
  ASSERT_TRUE(add_safetensors(file + json, "x.safetensors", 1, bytes));
  EXPECT_EQ(bytes[static_cast<std::size_t>(TensorKind::kAttention)], 8);
  EXPECT_EQ(bytes[static_cast<std::size_t>(TensorKind::kHead)], 4);
  length = 10'000'000'000;
  std::memcpy(file.data(), &length, 8);
  EXPECT_THAT(add_safetensors(file + json, "x.safetensors", 1, bytes).error().message,
              testing::HasSubstr("10000000000"));
}

TEST(Gguf, RefusesWhatIsDamaged) {
  EXPECT_FALSE(read_gguf("GGUF", "x.gguf"));
  EXPECT_FALSE(read_gguf("nothing", "x.gguf"));
  std::string head = "GGUF";
  for (const std::uint64_t word : {std::uint64_t{3}, ~std::uint64_t{0}, ~std::uint64_t{0}})
    head.append(reinterpret_cast<const char*>(&word), word == 3 ? 4 : 8);
  EXPECT_FALSE(read_gguf(head, "x.gguf"));
}

}  // namespace
}  // namespace etiage::formats
