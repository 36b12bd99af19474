#include "engines/serving/quantization.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "catalog/cells.h"

namespace etiage::serving {
namespace {

struct Naming {
  std::string_view spelling, canonical;
};

constexpr std::array kNamings{
    Naming{"bf16", "bf16"},
    Naming{"bfloat16", "bf16"},
    Naming{"fp16", "bf16"},
    Naming{"float16", "bf16"},
    Naming{"half", "bf16"},
    Naming{"none", "bf16"},
    Naming{"unquantized", "bf16"},
    Naming{"fp8", "fp8"},
    Naming{"fp8_w8a8", "fp8"},
    Naming{"w8a8_fp8", "fp8"},
    Naming{"fp8_static", "fp8"},
    Naming{"fp8_dynamic", "fp8"},
    Naming{"fbgemm_fp8", "fp8"},
    Naming{"fp8_block", "fp8_block"},
    Naming{"fp8_blockwise", "fp8_block"},
    Naming{"block_fp8", "fp8_block"},
    Naming{"int8", "int8"},
    Naming{"w8a8", "int8"},
    Naming{"int8_w8a8", "int8"},
    Naming{"w8a8_int8", "int8"},
    Naming{"int8_wo", "int8_wo"},
    Naming{"w8a16", "int8_wo"},
    Naming{"awq", "awq"},
    Naming{"awq_marlin", "awq"},
    Naming{"gptq", "awq"},
    Naming{"gptq_marlin", "awq"},
    Naming{"awq_gptq", "awq"},
    Naming{"int4", "awq"},
    Naming{"awq_g64", "awq_g64"},
    Naming{"awq_g32", "awq_g32"},
    Naming{"w4a16", "int4_wo"},
    Naming{"int4_wo", "int4_wo"},
    Naming{"wna16", "int4_wo"},
    Naming{"int4_autoround", "awq"},
    Naming{"auto_round", "awq"},
    Naming{"int4_marlin", "awq"},
    Naming{"nvfp4", "nvfp4"},
    Naming{"fp4", "nvfp4"},
    Naming{"modelopt_fp4", "nvfp4"},
    Naming{"mxfp4", "mxfp4"},
    Naming{"mxfp4_triton", "mxfp4"},
    Naming{"mxfp4_marlin", "mxfp4"},
    Naming{"q8_0", "q8_0"},
    Naming{"q6_k", "q6_k"},
    Naming{"q5_k", "q5_k"},
    Naming{"q5_k_m", "q5_k"},
    Naming{"q4_k", "q4_k"},
    Naming{"q4_k_m", "q4_k"},
    Naming{"q4_k_s", "q4_k"},
    Naming{"q4_0", "q4_k"},
    Naming{"q3_k", "q3_k"},
    Naming{"q3_k_m", "q3_k"},
    Naming{"q2_k", "q2_k"},
    Naming{"iq4_xs", "iq4_xs"},
};

/// Lower case; `-`, blanks and brackets become one `_`; `awq/gptq` and `int8 w8a8` come out as `awq_gptq` and
/// `int8_w8a8`.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

void set(QuantizationScheme& s, std::initializer_list<TensorKind> kinds, WeightFormat format) {
  for (const auto kind : kinds) s.formats[static_cast<std::size_t>(kind)] = format;
}

/// Every matrix of the layers; routers, embeddings, heads and norms stay as they are.
void set_layers(QuantizationScheme& s, WeightFormat format) {
  set(s,
      {TensorKind::kAttention, TensorKind::kLatentDown, TensorKind::kRecurrent, TensorKind::kFeedForward,
       TensorKind::kExpert, TensorKind::kSharedExpert},
      format);
}

void set_four_bit(QuantizationScheme& s, const ModelSpec& model, WeightFormat format) {
  if (model.latent || model.recurrent) {
    if (model.moe)
      set(s, {TensorKind::kExpert}, format);
    else
      set(s, {TensorKind::kAttention, TensorKind::kFeedForward}, format),
          set(s, {TensorKind::kRecurrent}, WeightFormat::kFp8);
  } else {
    set_layers(s, format);
  }
}

constexpr std::array<std::string_view, kTensorKinds> kKindNames{
    "attention", "latent_down", "recurrent", "feed_forward", "expert", "shared_expert",
    "router",    "embedding",   "head",      "norm",         "other"};

void keep_unquantized(QuantizationScheme& s, const ModelSpec& model) {
  for (const auto& kept : catalog::split(model.unquantized, ',')) {
    const auto colon = kept.find(':');
    const auto* const name = std::ranges::find(kKindNames, std::string_view(kept).substr(0, colon));
    if (name == kKindNames.end()) continue;
    const auto some = colon == std::string::npos ? std::nullopt : catalog::whole(kept.substr(colon + 1));
    if (!some)
      s.formats[static_cast<std::size_t>(name - kKindNames.begin())] = WeightFormat::kFloat16;
    else if (*name == "feed_forward" && model.dense_layers > 0)
      s.edge_feed_forward = std::min(1.0, static_cast<double>(*some) / model.dense_layers);
  }
}

void apply(QuantizationScheme& s, const ModelSpec& model) {
  const auto& n = s.name;
  if (n == "fp8") set_layers(s, WeightFormat::kFp8), s.fp8_activations = true;
  if (n == "fp8_block") set_layers(s, WeightFormat::kFp8Block), s.fp8_activations = true;
  if (n == "int8") set_layers(s, WeightFormat::kInt8), s.int8_activations = true;
  if (n == "int8_wo") set_layers(s, WeightFormat::kInt8);
  if (n == "awq") set_four_bit(s, model, WeightFormat::kInt4Group128);
  if (n == "awq_g64") set_four_bit(s, model, WeightFormat::kInt4Group64);
  if (n == "awq_g32") set_four_bit(s, model, WeightFormat::kInt4Group32);
  if (n == "int4_wo")
    set_four_bit(s, model, model.latent ? WeightFormat::kInt4Group32 : WeightFormat::kInt4Symmetric);
  if (n == "nvfp4") set_four_bit(s, model, WeightFormat::kNvfp4), s.fp4_activations = true;
  if (n == "mxfp4")
    set(s, {model.moe ? TensorKind::kExpert : TensorKind::kFeedForward}, WeightFormat::kMxfp4);
  constexpr std::array<std::pair<std::string_view, WeightFormat>, 6> kGguf{
      {{"q6_k", WeightFormat::kQ6K},
       {"q5_k", WeightFormat::kQ5K},
       {"q4_k", WeightFormat::kQ4K},
       {"q3_k", WeightFormat::kQ3K},
       {"q2_k", WeightFormat::kQ2K},
       {"iq4_xs", WeightFormat::kIq4Xs}}};
  if (n == "q8_0")
    set_layers(s, WeightFormat::kQ8_0),
        set(s, {TensorKind::kEmbedding, TensorKind::kHead}, WeightFormat::kQ8_0);
  for (const auto& [name, format] : kGguf)  // llama.cpp keeps the token tables at six bits or more
    if (n == name)
      set_layers(s, format), set(s, {TensorKind::kEmbedding, TensorKind::kHead}, WeightFormat::kQ6K);
}

}  // namespace

double bits(const QuantizationScheme& s, TensorKind kind) {
  const double own = bits_per_weight(s.formats[static_cast<std::size_t>(kind)]);
  return kind == TensorKind::kFeedForward ? s.edge_feed_forward * 16 + (1 - s.edge_feed_forward) * own : own;
}

std::vector<std::string> quantization_names() {
  std::vector<std::string> names;
  for (const auto& n : kNamings)
    if (std::ranges::find(names, n.canonical) == names.end()) names.emplace_back(n.canonical);
  return names;
}

Result<QuantizationScheme> quantization_scheme(std::string_view name, const ModelSpec& model) {
  auto wanted = plain(name);
  const bool own = wanted.empty() || wanted == "auto";
  if (own) wanted = plain(model.native_quantization.empty() ? "bf16" : model.native_quantization);
  const auto* const found = std::ranges::find(kNamings, wanted, &Naming::spelling);
  if (found == kNamings.end()) {
    std::string known;
    for (const auto& n : quantization_names()) known += (known.empty() ? "" : ", ") + n;
    return failure("quantization \"" + std::string(name) + "\" is not known", {}, "one of " + known);
  }
  QuantizationScheme scheme{.name = std::string(found->canonical)};
  scheme.formats.fill(WeightFormat::kFloat16);
  apply(scheme, model);
  if (own || plain(model.native_quantization) == wanted) keep_unquantized(scheme, model);
  return scheme;
}

}  // namespace etiage::serving
