#include "formats/models/hf_config.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

#include "formats/models/hf_quantization.h"

namespace etiage::formats {
namespace {

/// Architectures whose layers are described by the keys below.
constexpr std::array kKnownTypes = std::to_array<std::string_view>({"llama",
                                                                    "mistral",
                                                                    "mistral3",
                                                                    "ministral3",
                                                                    "mixtral",
                                                                    "qwen2",
                                                                    "qwen2_moe",
                                                                    "qwen2_vl",
                                                                    "qwen2_vl_text",
                                                                    "qwen2_5_vl",
                                                                    "qwen2_5_vl_text",
                                                                    "qwen3",
                                                                    "qwen3_moe",
                                                                    "qwen3_vl",
                                                                    "qwen3_vl_text",
                                                                    "qwen3_vl_moe",
                                                                    "qwen3_vl_moe_text",
                                                                    "qwen3_next",
                                                                    "qwen3_5_text",
                                                                    "qwen3_5_moe_text",
                                                                    "qwen3_5",
                                                                    "qwen3_5_moe",
                                                                    "phi",
                                                                    "phi3",
                                                                    "phimoe",
                                                                    "gemma",
                                                                    "gemma2",
                                                                    "gemma3",
                                                                    "gemma3_text",
                                                                    "gpt_oss",
                                                                    "deepseek_v2",
                                                                    "deepseek_v3",
                                                                    "deepseek_v32",
                                                                    "kimi_k2",
                                                                    "kimi_k25",
                                                                    "kimi_linear",
                                                                    "glm",
                                                                    "glm4",
                                                                    "glm4_moe",
                                                                    "glm4v_text",
                                                                    "glm4v_moe_text",
                                                                    "glm_moe_dsa",
                                                                    "llama4",
                                                                    "llama4_text",
                                                                    "minimax_m2",
                                                                    "mimo",
                                                                    "internlm",
                                                                    "internlm2",
                                                                    "yi",
                                                                    "starcoder2",
                                                                    "granite",
                                                                    "granitemoe",
                                                                    "olmo2",
                                                                    "olmo3",
                                                                    "exaone4",
                                                                    "smollm3",
                                                                    "seed_oss",
                                                                    "cohere",
                                                                    "cohere2",
                                                                    "stablelm",
                                                                    "nemotron",
                                                                    "nemotron_h",
                                                                    "dots1",
                                                                    "ernie4_5",
                                                                    "ernie4_5_moe",
                                                                    "hunyuan_v1_dense"});

/// What the published files of an architecture leave out, as its configuration class sets it.
struct Omitted {
  std::string_view model_type, name;
  std::int64_t value;
};
constexpr std::array kOmitted = std::to_array<Omitted>({{"gemma3_text", "vocab_size", 262208},
                                                        {"gemma3_text", "num_attention_heads", 8},
                                                        {"gemma3_text", "num_key_value_heads", 4},
                                                        {"gemma3_text", "head_dim", 256},
                                                        {"gemma3_text", "max_position_embeddings", 131072}});

/// Reads whole numbers by the names that different architectures give them; notes what is missing or out of
/// range.
class Keys {
 public:
  explicit Keys(const Tree& config) : config_(config) {}

  std::int64_t get(std::initializer_list<std::string_view> names, std::int64_t otherwise = 0) {
    for (const auto name : names) {
      const auto& given = config_[name];
      if (given.is_null()) continue;
      const auto value = given.as_int();
      if (!value)
        fault(fmt::format("{} is no whole number", name));
      else if (*value < 0 || *value > 100'000'000)
        fault(fmt::format("{} is {}", name, *value));
      return std::clamp<std::int64_t>(value.value_or(0), 0, 100'000'000);
    }
    for (const auto& o : kOmitted)
      if (o.model_type == config_["model_type"].text() && std::ranges::find(names, o.name) != names.end())
        return o.value;
    return otherwise;
  }
  int count(std::initializer_list<std::string_view> names, std::int64_t otherwise = 0) {
    return static_cast<int>(get(names, otherwise));
  }
  int need(std::initializer_list<std::string_view> names) {
    const auto before = faults_.size();
    const auto value = count(names);
    if (value == 0 && faults_.size() == before) fault(fmt::format("{} is missing", *names.begin()));
    return value;
  }
  void fault(std::string_view text) { faults_ += fmt::format("{}{}", faults_.empty() ? "" : ", ", text); }
  const std::string& faults() const { return faults_; }
  const Tree& config() const { return config_; }

 private:
  const Tree& config_;
  std::string faults_;
};

void read_attention(ModelSpec& m, Keys& k) {
  const int heads = k.need({"num_attention_heads"});
  auto& a = m.attention;
  a.heads = heads;
  a.kv_heads = k.count({"num_key_value_heads"}, heads);
  if (heads > 0 && (a.kv_heads < 1 || a.kv_heads > heads))
    k.fault(fmt::format("num_key_value_heads is {} of {} heads", a.kv_heads, heads));
  a.head_dim = k.count({"head_dim"}, heads > 0 ? m.hidden / heads : 0);
  if (heads > 0 && !k.config().has("head_dim") && m.hidden % heads != 0)
    k.fault(fmt::format("head_dim is missing, and {} heads do not divide {}", heads, m.hidden));
  a.value_dim = k.count({"v_head_dim"}, a.head_dim);
  a.output_gate = m.model_type.starts_with("qwen3_next") || m.model_type.starts_with("qwen3_5");
  const bool latent = m.model_type.starts_with("deepseek_v") || m.model_type.starts_with("kimi") ||
                      m.model_type == "glm_moe_dsa";
  if (const int rank = latent ? k.need({"kv_lora_rank"}) : k.count({"kv_lora_rank"}); rank > 0) {
    m.latent = LatentAttention{k.count({"q_lora_rank"}), rank, k.need({"qk_nope_head_dim"}),
                               k.need({"qk_rope_head_dim"}), k.need({"v_head_dim"})};
    a.head_dim = m.latent->nope_dim + m.latent->rope_dim;
    if (const int index = k.count({"index_n_heads"}); index > 0)
      m.indexer = SparseIndexer{index, k.need({"index_head_dim"}), k.count({"index_topk"}, 2048)};
  }
  m.windowed = a;
}

/// Tokens are compressed to this width for the routed experts (LatentMoE); 0: they are not.
int compressed_for_experts(Keys& k) {
  return k.count({"moe_latent_size", "routed_expert_hidden_size"});
}

/// Nemotron-H, one letter a layer: M(amba), * (attention), - (feed-forward), E(xperts); newer files give
/// words.
std::string nemotron_pattern(const Tree& config) {
  static constexpr std::array<std::pair<std::string_view, char>, 4> kWords{
      {{"mamba", 'M'}, {"attention", '*'}, {"mlp", '-'}, {"moe", 'E'}}};
  auto pattern = config["hybrid_override_pattern"].text();
  for (const auto& word : config["layers_block_type"].items()) {
    const auto* const found = std::ranges::find(kWords, word.text(), &decltype(kWords)::value_type::first);
    pattern += found == kWords.end() ? '?' : found->second;
  }
  return pattern;
}

void read_nemotron_layers(ModelSpec& m, Keys& k) {
  const auto pattern = nemotron_pattern(k.config());
  const auto of = [&](char c) { return static_cast<int>(std::ranges::count(pattern, c)); };
  m.full_layers = of('*');
  m.recurrent_layers = of('M');
  m.dense_layers = of('-');
  m.moe_layers = of('E');
  m.gated = false;
  if (m.full_layers + m.recurrent_layers + m.dense_layers + m.moe_layers != m.layers)
    k.fault(fmt::format("hybrid_override_pattern does not tell what each of {} layers is", m.layers));
  m.recurrent = RecurrentShape{
      RecurrentShape::Kind::kMamba2, k.need({"mamba_num_heads"}), k.need({"n_groups", "mamba_n_groups"}),
      k.need({"ssm_state_size"}),    k.need({"mamba_head_dim"}),  k.count({"conv_kernel"}, 4)};
  if (of('E') > 0)
    m.moe = MixtureOfExperts{k.need({"n_routed_experts"}), k.need({"num_experts_per_tok"}),
                             k.need({"moe_intermediate_size"}),
                             k.count({"moe_shared_expert_intermediate_size"}), compressed_for_experts(k)};
}

/// Kimi Linear: which layers are latent attention and which keep a state stands in lists.
void read_kimi_layers(ModelSpec& m, Keys& k) {
  const Tree& linear = k.config()["linear_attn_config"];
  Keys own(linear);
  m.full_layers = static_cast<int>(linear["full_attn_layers"].items().size());
  m.recurrent_layers = m.layers - m.full_layers;
  const int heads = own.need({"num_heads"}), width = own.need({"head_dim"});
  if (!own.faults().empty()) k.fault("in linear_attn_config " + own.faults());
  m.recurrent = RecurrentShape{RecurrentShape::Kind::kKimiDelta,        heads, heads, width, width,
                               own.count({"short_conv_kernel_size"}, 4)};
}

/// How many layers see everything, a window, or keep a state.
void read_layer_kinds(ModelSpec& m, Keys& k) {
  if (m.model_type == "nemotron_h") return read_nemotron_layers(m, k);
  if (m.model_type == "kimi_linear") return read_kimi_layers(m, k);
  const auto& types = k.config()["layer_types"].items();
  m.window = k.count({"sliding_window", "attention_chunk_size"});
  const auto told = std::min(types.size(), static_cast<std::size_t>(m.layers));  // the rest predict tokens
  if (!types.empty() && types.size() < static_cast<std::size_t>(m.layers))
    k.fault(fmt::format("layer_types tells of {} of {} layers", types.size(), m.layers));
  for (const auto& type : std::span(types).first(told)) {
    if (type.text() == "linear_attention")
      ++m.recurrent_layers;
    else if (type.text() == "sliding_attention" || type.text() == "chunked_attention")
      ++m.window_layers;
    if (type.text() == "chunked_attention") m.chunked_window = true;
  }
  if (types.empty()) {
    const bool recurrent = m.model_type.starts_with("qwen3_5") || m.model_type == "qwen3_next";
    const int pattern =
        k.count({"sliding_window_pattern", "full_attention_interval"}, m.model_type.starts_with("gemma3") ? 6
                                                                       : m.model_type == "gemma2"         ? 2
                                                                       : m.model_type == "cohere2"        ? 4
                                                                       : recurrent                        ? 4
                                                                                   : 0);
    const int others = pattern > 1 ? m.layers - m.layers / pattern : 0;
    if (recurrent)
      m.recurrent_layers = others;
    else if (m.window > 0 && pattern > 1)
      m.window_layers = others;
    else if (m.window > 0 && m.model_type == "mistral")
      m.window_layers = m.layers;
    if (m.model_type.starts_with("llama4"))
      m.window_layers = m.layers - m.layers / 4, m.window = 8192, m.chunked_window = true;
  }
  m.full_layers = m.layers - m.window_layers - m.recurrent_layers;
  if (m.recurrent_layers > 0)
    m.recurrent = RecurrentShape{RecurrentShape::Kind::kGatedDelta, k.need({"linear_num_value_heads"}),
                                 k.need({"linear_num_key_heads"}),  k.need({"linear_key_head_dim"}),
                                 k.need({"linear_value_head_dim"}), k.count({"linear_conv_kernel_dim"}, 4)};
}

void read_feed_forward(ModelSpec& m, Keys& k) {
  if (m.model_type == "nemotron_h") return void(m.intermediate = k.count({"intermediate_size"}));
  const int experts = k.count({"n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts"});
  m.gated = m.model_type != "phi" && m.model_type != "starcoder2" && m.model_type != "nemotron";
  m.intermediate = experts > 0 ? k.count({"intermediate_size"}) : k.need({"intermediate_size"});
  m.dense_layers = m.layers;
  if (experts == 0) return;
  const int width = k.count({"moe_intermediate_size"}, m.intermediate);
  const int shared = k.count({"shared_expert_intermediate_size", "shared_intermediate_size"},
                             static_cast<std::int64_t>(k.count(
                                 {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"})) *
                                 width);
  m.moe = MixtureOfExperts{
      experts,
      k.need({"num_experts_per_tok", "experts_per_token", "num_experts_per_token", "moe_topk", "moe_k"}),
      width, shared, compressed_for_experts(k)};
  if (m.model_type.starts_with("llama4"))
    m.moe->shared_intermediate = width, m.intermediate = k.count({"intermediate_size_mlp"}, m.intermediate);
  const int step = std::max(1, k.count({"interleave_moe_layer_step", "decoder_sparse_step"}, 1));
  const int dense =
      std::min(m.layers, k.count({"first_k_dense_replace", "moe_layer_start_index"},
                                 static_cast<std::int64_t>(k.config()["mlp_only_layers"].items().size())));
  if (k.count({"first_k_dense_replace"}) > m.layers)
    k.fault(fmt::format("first_k_dense_replace is beyond {} layers", m.layers));
  m.moe_layers = (m.layers - dense) / step;
  m.dense_layers = m.layers - m.moe_layers;
  if (m.moe->per_token > experts) m.moe->per_token = experts;
}

/// A vision tower is a plain transformer beside the language model; its size is reckoned from its widths.
std::int64_t vision_parameters(const Tree& vision) {
  if (!vision.is_map()) return 0;
  Keys k(vision);
  const std::int64_t width = k.get({"hidden_size", "embed_dim"}),
                     depth = k.get({"num_hidden_layers", "depth"});
  const std::int64_t inner = k.get({"intermediate_size"}, 4 * width);
  if (width > 100'000 || depth > 1000 || inner > 1'000'000) return 0;
  return depth * (4 * width * width + 2 * width * inner);
}

}  // namespace

Result<ModelSpec> read_hf_config(const Tree& top, const std::string& name, const std::string& file) {
  if (!top.is_map()) return failure("not a config.json: its top is no object", {file});
  const Tree& config =
      top.has("text_config") && top["text_config"].has("hidden_size") ? top["text_config"] : top;
  ModelSpec m;
  m.name = name;
  m.model_type = config.has("model_type") ? config["model_type"].text() : top["model_type"].text();
  m.source = file;
  if (m.model_type.empty())
    return failure("config.json names no model_type", {file},
                   "the whole file of the checkpoint has one, such as \"model_type\": \"llama\"");
  if (std::ranges::find(kKnownTypes, m.model_type) == kKnownTypes.end())
    return failure(
        fmt::format("architecture \"{}\" is not known, so its layers are not guessed", m.model_type), {file},
        "known are llama, mistral, qwen2, qwen3, qwen3_moe, mixtral, gemma3, gpt_oss, deepseek_v3, "
        "glm_moe_dsa, llama4, qwen3_next and their like; a row of data/models.csv describes any other");
  Keys k(config);
  m.layers = k.need({"num_hidden_layers"});
  m.hidden = k.need({"hidden_size"});
  m.vocabulary = k.need({"vocab_size"});
  m.max_position = k.get({"max_position_embeddings", "model_max_length"}, 0);
  m.tied_embeddings =
      (config.has("tie_word_embeddings") ? config : top)["tie_word_embeddings"].as_bool().value_or(
          m.model_type.starts_with("gemma") || m.model_type.starts_with("cohere"));
  read_attention(m, k);
  read_layer_kinds(m, k);
  read_feed_forward(m, k);
  if (!k.faults().empty())
    return failure(k.faults(), {file}, "as the config.json of the whole checkpoint gives them");
  if (m.layers > 10'000 || m.full_layers < 0 || m.recurrent_layers < 0 || m.moe_layers < 0)
    return failure(
        fmt::format("{} layers of which {} see the whole context make no sense", m.layers, m.full_layers),
        {file});
  m.predicted_tokens = k.count({"num_nextn_predict_layers", "mtp_num_hidden_layers"});
  m.other_parameters = vision_parameters(top["vision_config"]);
  const Tree& q =
      config.has("quantization_config") ? config["quantization_config"] : top["quantization_config"];
  if (auto ok = read_quantization(m, q, file); !ok) return std::unexpected(ok.error());
  return m;
}

}  // namespace etiage::formats
