#include "formats/models/hf_quantization.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

namespace etiage::formats {
namespace {

bool has(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](auto w) { return text.find(w) != std::string_view::npos; });
}

/// A module's name or a pattern of one, without the marks of regular expressions.
std::string plain(std::string_view entry) {
  if (entry.starts_with("re:")) entry.remove_prefix(3);
  std::string out;
  for (const char c : entry)
    if (c != '\\' && c != '^' && c != '$') out += c;
  return out;
}

/// What the module does; empty where it is no weight of the layers.
std::string kind_of(std::string_view module) {
  if (has(module, {"visual", "vision", "mm_projector", "multi_modal"})) return "";
  if (has(module, {"lm_head"})) return "head";
  if (has(module, {"embed"})) return "embedding";
  if (has(module, {"shared_expert"})) return "shared_expert";
  if (has(module, {"router", "mlp.gate"}) && !has(module, {"gate_proj", "gate_up", "gate|"})) return "router";
  if (has(module, {"experts"})) return "expert";
  if (has(module, {"linear_attn", "mamba", "mixer"})) return "recurrent";
  if (has(module, {"kv_a_proj", "q_a_proj", "indexer"})) return "latent_down";
  if (has(module, {"attn", "attention"})) return "attention";
  if (has(module, {"mlp", "feed_forward"})) return "feed_forward";
  return "";
}

/// The number behind `layers.`; -1: all layers.
int layer_of(std::string_view module) {
  const auto at = module.find("layers.");
  int layer = -1;
  if (at != std::string_view::npos)
    std::from_chars(module.data() + at + 7, module.data() + module.size(), layer);
  return layer;
}

int layers_with(const ModelSpec& m, std::string_view kind) {
  if (kind == "recurrent") return m.recurrent_layers;
  if (kind == "feed_forward") return m.dense_layers;
  if (kind == "expert" || kind == "shared_expert" || kind == "router") return m.moe_layers;
  return m.full_layers + m.window_layers;
}

/// Kinds that are listed whole, or in nine of ten of their layers; of dense feed-forward layers also how
/// many.
std::string unquantized(const ModelSpec& m, const Tree& q) {
  std::map<std::string, std::set<int>, std::less<>> listed;
  for (const auto* const key : {"modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"})
    for (const auto& entry : q[key].items()) {
      const auto module = plain(entry.text());
      if (auto kind = kind_of(module); !kind.empty()) listed[std::move(kind)].insert(layer_of(module));
    }
  if (const auto attention = listed.find("attention"); m.latent && attention != listed.end())
    listed["latent_down"].insert(attention->second.begin(), attention->second.end());
  std::string out;
  for (const auto& [kind, layers] : listed) {
    const auto some = static_cast<int>(layers.size());
    if (layers.contains(-1) || some * 10 >= layers_with(m, kind) * 9)
      out += (out.empty() ? "" : ",") + kind;
    else if (kind == "feed_forward")
      out += fmt::format("{}feed_forward:{}", out.empty() ? "" : ",", some);
  }
  return out;
}

std::string four_bit_groups(const Tree& config) {
  switch (config["group_size"].as_int().value_or(128)) {
    case 32:
      return "awq_g32";
    case 64:
      return "awq_g64";
    default:
      return "awq";
  }
}

std::string compressed_tensors(const Tree& q) {
  const auto& groups = q["config_groups"].members();
  if (groups.empty()) return "";
  const auto& w = groups.front().second["weights"];
  const auto bits = w["num_bits"].as_int().value_or(8);
  const bool floating = w["type"].text() == "float",
             activations = !groups.front().second["input_activations"].is_null();
  if (bits == 4)
    return floating ? (w["group_size"].as_int().value_or(16) == 32 ? "mxfp4" : "nvfp4") : "int4_wo";
  if (floating) return w["strategy"].text() == "block" ? "fp8_block" : "fp8";
  return activations ? "int8" : "int8_wo";
}

Result<std::string> scheme(const Tree& q, const std::string& file) {
  const auto method = q["quant_method"].text();
  if (method == "fp8") return q.has("weight_block_size") ? "fp8_block" : "fp8";
  if (method == "fbgemm_fp8") return "fp8";
  if (method == "awq" || method == "gptq" || method == "auto-round")
    return q["bits"].as_int().value_or(4) == 8 ? "int8_wo" : four_bit_groups(q);
  if (method == "mxfp4") return "mxfp4";
  if (method == "modelopt" || q.has("quant_algo"))
    return q["quant_algo"].text().starts_with("FP8") ? "fp8" : "nvfp4";
  if (method == "compressed-tensors") return compressed_tensors(q);
  return failure(fmt::format("quantization method \"{}\" is not known", method), {file},
                 "give --quantization, one of fp8, int8, awq, nvfp4, mxfp4");
}

}  // namespace

Result<void> read_quantization(ModelSpec& m, const Tree& config, const std::string& file) {
  if (config.is_null()) return {};
  auto native = scheme(config, file);
  if (!native) return std::unexpected(native.error());
  m.native_quantization = *native;
  m.unquantized = unquantized(m, config);
  return {};
}

}  // namespace etiage::formats
