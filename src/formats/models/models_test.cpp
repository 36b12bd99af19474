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
  EXPECT_EQ(m->unquantized, "attention,head,router");
}

constexpr std::string_view kDense =
    R"("model_type":"llama","hidden_size":4096,"num_hidden_layers":4,"num_attention_heads":32,"num_key_value_heads":8,
    "intermediate_size":14336,"vocab_size":128256)";

std::string unquantized(const std::string& quantization) {
  const auto m = config("{" + std::string(kDense) + R"(,"quantization_config":)" + quantization + "}");
  return m ? m->native_quantization + ":" + m->unquantized : m.error().message;
}

TEST(HfConfig, ReadsIgnoreLists) {
  EXPECT_EQ(unquantized(R"({"quant_method":"compressed-tensors","ignore":["lm_head","re:.*self_attn.*"],
      "config_groups":{"group_0":{"weights":{"num_bits":4,"type":"float","group_size":16}}}})"),
            "nvfp4:attention,head");
  // some layers' feed-forward, all layers' attention, one by one
  EXPECT_EQ(
      unquantized(R"({"quant_method":"fbgemm_fp8","modules_to_not_convert":["model.layers.0.mlp.up_proj",
      "model.layers.3.mlp.up_proj","model.layers.0.self_attn.q_proj","model.layers.1.self_attn.q_proj",
      "model.layers.2.self_attn.q_proj","model.layers.3.self_attn.q_proj"]})"),
      "fp8:attention,feed_forward:2");
  // attention of a single layer is no reason to leave all of it
  EXPECT_EQ(unquantized(R"({"quant_method":"fp8","ignored_layers":["model.layers.0.self_attn.q_proj"]})"),
            "fp8:");
  EXPECT_EQ(unquantized(R"({"quant_method":"awq","bits":4,"group_size":64})"), "awq_g64:");
  EXPECT_EQ(unquantized(R"({"quant_method":"gptq","bits":8})"), "int8_wo:");
  EXPECT_THAT(unquantized(R"({"quant_method":"telepathy"})"), testing::HasSubstr("telepathy"));
}

TEST(HfConfig, ReadsHybridsByTheirPattern) {
  const auto m = config(
      R"({"model_type":"nemotron_h","hidden_size":2688,"num_hidden_layers":8,"num_attention_heads":32,"num_key_value_heads":2,
    "head_dim":128,"intermediate_size":1856,"vocab_size":131072,"hybrid_override_pattern":"MEMEM*ME","mamba_num_heads":64,
    "mamba_head_dim":64,"n_groups":8,"ssm_state_size":128,"conv_kernel":4,"n_routed_experts":128,"num_experts_per_tok":6,
    "moe_intermediate_size":1856,"moe_shared_expert_intermediate_size":3712})");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->recurrent_layers, 4);
  EXPECT_EQ(m->full_layers, 1);
  EXPECT_EQ(m->moe_layers, 3);
  EXPECT_EQ(m->recurrent->value_dim, 64);
  EXPECT_FALSE(m->gated);
}

TEST(HfConfig, ReadsLayersInWordsAndExpertsThatSeeALatent) {
  const std::string head =
      R"({"model_type":"nemotron_h","hidden_size":4096,"num_hidden_layers":4,"num_attention_heads":32,"num_key_value_heads":2,
    "head_dim":128,"intermediate_size":2688,"vocab_size":131072,"mamba_num_heads":128,"mamba_head_dim":64,"n_groups":8,
    "ssm_state_size":128,"n_routed_experts":512,"num_experts_per_tok":22,"moe_intermediate_size":2688,"moe_latent_size":1024,)";
  const auto m = config(head + R"("layers_block_type":["mamba","moe","attention","mlp"]})");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->recurrent_layers, 1);
  EXPECT_EQ(m->full_layers, 1);
  EXPECT_EQ(m->dense_layers, 1);
  EXPECT_EQ(m->moe_layers, 1);
  EXPECT_EQ(m->moe->hidden, 1024);
  // what no layer's kind is told of is not taken for a model without layers
  EXPECT_THAT(config(head + R"("chunk_size":128})").error().message,
              testing::HasSubstr("hybrid_override_pattern"));
  EXPECT_FALSE(config(head + R"("layers_block_type":["mamba","moe","conv","mlp"]})"));
}

TEST(HfConfig, FillsInWhatThePublishedFilesOfAnArchitectureLeaveOut) {
  const auto m = config(
      R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,"intermediate_size":10240,
    "num_hidden_layers":34,"sliding_window":1024}})");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->attention, (AttentionShape{8, 4, 256, 256}));
  EXPECT_EQ(m->vocabulary, 262208);
}

TEST(HfConfig, SaysWhatMakesNoSense) {
  const auto refused = [](const std::string& more) {
    const auto m =
        config(R"({"hidden_size":4096,"num_hidden_layers":4,"intermediate_size":14336,"vocab_size":128256,)" +
               more + "}");
    return m ? "taken" : m.error().message;
  };
  EXPECT_THAT(refused(R"("model_type":"llama","num_attention_heads":32.5)"),
              testing::HasSubstr("num_attention_heads is no whole number"));
  EXPECT_THAT(refused(R"("model_type":"llama","num_attention_heads":32,"num_key_value_heads":64)"),
              testing::HasSubstr("num_key_value_heads is 64 of 32 heads"));
  EXPECT_THAT(refused(R"("model_type":"llama","num_attention_heads":33)"),
              testing::HasSubstr("33 heads do not divide 4096"));
  EXPECT_THAT(refused(R"("model_type":"gpt_oss","num_attention_heads":32,"layer_types":["full_attention"])"),
              testing::HasSubstr("layer_types tells of 1 of 4 layers"));
  EXPECT_THAT(refused(R"("model_type":"qwen3_next","num_attention_heads":32)"),
              testing::HasSubstr("linear_num_value_heads is missing"));
  EXPECT_THAT(refused(R"("model_type":"kimi_linear","num_attention_heads":32,"head_dim":128)"),
              testing::HasSubstr("linear_attn_config num_heads is missing"));
}

TEST(HfConfig, ReadsANestedTextConfigAndTheVisionTower) {
  const auto m =
      config("{\"model_type\":\"mistral3\",\"text_config\":{" + std::string(kDense) +
             R"(},"vision_config":{"hidden_size":1024,"num_hidden_layers":24,"intermediate_size":4096}})");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->layers, 4);
  EXPECT_EQ(m->other_parameters, 24 * (4 * 1024 * 1024 + 2 * 1024 * 4096));
}

TEST(HfConfig, RefusesWhatItDoesNotKnowAndSaysWhatIsMissing) {
  const auto untyped = config(R"({"architectures":["LlamaForCausalLM"],"hidden_size":4096})");
  ASSERT_FALSE(untyped);
  EXPECT_EQ(untyped.error().message, "config.json names no model_type");
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

/// Writes a GGUF header.
class Gguf {
 public:
  Gguf& text(std::string_view key, std::string_view value) {
    put_text(key);
    put(std::uint32_t{8});
    put_text(value);
    return ++pairs_, *this;
  }
  Gguf& number(std::string_view key, std::uint32_t value) {
    put_text(key);
    put(std::uint32_t{4});
    put(value);
    return ++pairs_, *this;
  }
  std::string with_tensors(
      std::initializer_list<std::tuple<std::string_view, std::uint64_t, std::uint32_t>> tensors) {
    for (const auto& [name, elements, type] : tensors) {
      put_text(name);
      put(std::uint32_t{1});
      put(elements);
      put(type);
      put(std::uint64_t{0});
    }
    std::string head = "GGUF";
    std::swap(head, body_);
    put(std::uint32_t{3});
    put(static_cast<std::uint64_t>(tensors.size()));
    put(pairs_);
    return body_ + head;
  }

 private:
  template <class T>
  void put(T value) {
    body_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view t) {
    put(static_cast<std::uint64_t>(t.size()));
    body_ += t;
  }
  std::string body_;
  std::uint64_t pairs_ = 0;
};

TEST(Gguf, CountsBytesByTheTypeOfEachTensor) {
  const auto m =
      read_gguf(Gguf()
                    .text("general.architecture", "gemma3")
                    .number("general.file_type", 15)
                    .number("gemma3.block_count", 6)
                    .number("gemma3.embedding_length", 256)
                    .number("gemma3.attention.head_count", 4)
                    .number("gemma3.attention.head_count_kv", 2)
                    .number("gemma3.attention.sliding_window", 512)
                    .number("gemma3.feed_forward_length", 1024)
                    .with_tensors({{"token_embd.weight", 2560, 14}, {"blk.0.attn_q.weight", 512, 12}}),
                "x.gguf");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->native_quantization, "q4_k");
  EXPECT_EQ((*m->checkpoint)[static_cast<std::size_t>(TensorKind::kEmbedding)], 2100);  // Q6_K: 210 of 256
  EXPECT_EQ((*m->checkpoint)[static_cast<std::size_t>(TensorKind::kAttention)], 288);   // Q4_K: 144 of 256
  EXPECT_TRUE(m->tied_embeddings);
  EXPECT_EQ(m->window_layers, 5);
  EXPECT_EQ(m->full_layers, 1);
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
