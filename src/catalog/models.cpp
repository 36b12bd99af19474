#include "catalog/models.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>

#include "base/csv.h"
#include "catalog/cells.h"
#include "catalog/tables.h"

namespace etiage::catalog {
namespace {

int count(const CsvRow& row, std::string_view column) {
  return number<int>(row, column);
}

AttentionShape full_attention(const CsvRow& row) {
  return {count(row, "heads"), count(row, "kv_heads"), count(row, "head_dim"), count(row, "value_dim"),
          count(row, "output_gate") != 0};
}

AttentionShape window_attention(const CsvRow& row) {
  return {count(row, "window_heads"), count(row, "window_kv_heads"), count(row, "window_head_dim"),
          count(row, "window_value_dim")};
}

std::optional<LatentAttention> latent(const CsvRow& row) {
  if (count(row, "kv_rank") == 0) return std::nullopt;
  return LatentAttention{count(row, "query_rank"), count(row, "kv_rank"), count(row, "nope_dim"),
                         count(row, "rope_dim"), count(row, "latent_value_dim")};
}

std::optional<RecurrentShape> recurrent(const CsvRow& row) {
  using Kind = RecurrentShape::Kind;
  static constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{
      {{"gated_delta", Kind::kGatedDelta},
       {"kimi_delta", Kind::kKimiDelta},
       {"mamba1", Kind::kMamba1},
       {"mamba2", Kind::kMamba2}}};
  for (const auto& [name, kind] : kKinds)
    if (row["recurrent"] == name)
      return RecurrentShape{kind,
                            count(row, "recurrent_heads"),
                            count(row, "recurrent_key_heads"),
                            count(row, "recurrent_key_dim"),
                            count(row, "recurrent_value_dim"),
                            count(row, "convolution")};
  return std::nullopt;
}

std::optional<MixtureOfExperts> mixture(const CsvRow& row) {
  if (count(row, "experts") == 0) return std::nullopt;
  return MixtureOfExperts{count(row, "experts"), count(row, "experts_per_token"),
                          count(row, "expert_intermediate"), count(row, "shared_intermediate"),
                          count(row, "expert_hidden")};
}

ModelSpec spec(const CsvRow& row) {
  ModelSpec m;
  m.name = row["model"];
  m.shapes = m.name;
  m.model_type = row["model_type"];
  m.source = row["source"];
  m.verified = row["verified"] == "1";
  m.layers = count(row, "layers");
  m.hidden = count(row, "hidden");
  m.vocabulary = count(row, "vocabulary");
  m.max_position = number<std::int64_t>(row, "max_position");
  m.tied_embeddings = count(row, "tied") != 0;
  m.attention = full_attention(row);
  m.windowed = window_attention(row);
  m.latent = latent(row);
  if (count(row, "index_heads") > 0)
    m.indexer = SparseIndexer{count(row, "index_heads"), count(row, "index_dim"), count(row, "index_tokens")};
  m.recurrent = recurrent(row);
  m.full_layers = count(row, "full_layers");
  m.window_layers = count(row, "window_layers");
  m.recurrent_layers = count(row, "recurrent_layers");
  m.window = count(row, "window");
  m.chunked_window = count(row, "chunked") != 0;
  m.intermediate = count(row, "intermediate");
  m.gated = count(row, "gated") != 0;
  m.dense_layers = count(row, "dense_layers");
  m.moe_layers = count(row, "moe_layers");
  m.moe = mixture(row);
  m.predicted_tokens = count(row, "predicted_tokens");
  m.other_parameters = number<std::int64_t>(row, "other_parameters");
  m.native_quantization = row["native_quantization"];
  m.unquantized = row["unquantized"];
  return m;
}

/// Lower-case words of a name without its organisation.
std::vector<std::string> words(std::string_view name) {
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string plain;
  for (const char c : name)
    plain += std::isalnum(static_cast<unsigned char>(c)) || c == '.'
                 ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                 : '-';
  return split(plain, '-');
}

constexpr std::array<std::string_view, 18> kTuningWords{
    "instruct", "chat", "it",   "hf",   "base",     "meta", "nvidia",  "preview", "text",
    "v0.1",     "v0.2", "v0.3", "2407", "thinking", "8k",   "dynamic", "sym",     "int4"};

struct QuantizationWord {
  std::string_view word, scheme;
};
constexpr std::array<QuantizationWord, 16> kQuantizationWords{{{"fp8", "fp8"},
                                                               {"nvfp4", "nvfp4"},
                                                               {"fp4", "nvfp4"},
                                                               {"awq", "awq"},
                                                               {"gptq", "awq"},
                                                               {"w4a16", "int4_wo"},
                                                               {"w8a8", "int8"},
                                                               {"int8", "int8"},
                                                               {"bf16", "bf16"},
                                                               {"fp16", "bf16"},
                                                               {"mxfp4", "mxfp4"},
                                                               {"int4", "awq"},
                                                               {"4bit", "awq"},
                                                               {"autoround", "awq"},
                                                               {"q4km", "q4_k"},
                                                               {"gguf", "q4_k"}}};

struct Reading {
  std::string key;           ///< the words that name the shapes, run together
  std::string quantization;  ///< empty: none named
};

Reading reading(std::string_view name) {
  Reading r;
  for (const auto& word : words(name)) {
    const auto* const q = std::ranges::find(kQuantizationWords, word, &QuantizationWord::word);
    if (q != kQuantizationWords.end()) {
      if (r.quantization.empty()) r.quantization = q->scheme;
    } else if (std::ranges::find(kTuningWords, word) == kTuningWords.end()) {
      r.key += word;
    }
  }
  return r;
}

bool is_called(const KnownModel& known, std::string_view name) {
  return known.spec.name == name || std::ranges::find(known.aliases, name) != known.aliases.end();
}

bool reads_as(const KnownModel& known, std::string_view key) {
  return reading(known.spec.name).key == key ||
         std::ranges::any_of(known.aliases, [&](const auto& alias) { return reading(alias).key == key; });
}

std::string listed(const std::vector<const KnownModel*>& some) {
  std::string text;
  for (const auto* k : some) text += (text.empty() ? "" : ", ") + k->spec.name;
  return text;
}

/// Models whose name holds the first word asked for: what a person may have meant.
std::string near(std::string_view name, std::span<const KnownModel> known) {
  const auto wanted = words(name);
  std::vector<const KnownModel*> some;
  for (const auto& k : known)
    if (!wanted.empty() && reading(k.spec.name).key.find(wanted.front()) != std::string::npos &&
        some.size() < 6)
      some.push_back(&k);
  return some.empty() ? "give its config.json by --config, or see `etiage catalog models`"
                      : "near: " + listed(some) + "; or give its config.json by --config";
}

/// A name that says its quantization means a checkpoint of the same shapes in that format. DeepSeek's and
/// Qwen's own FP8 checkpoints are block-wise.
ModelSpec named(ModelSpec spec, std::string_view name, const std::string& quantization) {
  if (spec.name == name && (!spec.native_quantization.empty() || quantization.empty())) return spec;
  if (quantization.empty() && !reading(spec.name).quantization.empty())  // the checkpoint that was quantized
    spec.native_quantization.clear(), spec.unquantized.clear();
  const bool blocks =
      quantization == "fp8" && (spec.name.starts_with("Qwen/") || spec.native_quantization == "fp8_block");
  if (!quantization.empty() && quantization != spec.native_quantization) {
    spec.native_quantization = blocks ? "fp8_block" : quantization;
    if (!blocks) spec.unquantized.clear();
  }
  spec.name = name;
  return spec;
}

}  // namespace

Result<std::vector<KnownModel>> read_models(std::string_view csv, const std::string& file) {
  std::vector<KnownModel> out;
  auto done = read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    auto m = spec(row);
    if (m.layers <= 0 || m.hidden <= 0 ||
        m.full_layers + m.window_layers + m.recurrent_layers +
                (m.recurrent ? m.dense_layers + m.moe_layers : 0) <
            m.layers)
      return failure(fmt::format("model \"{}\": its layers do not add up", m.name), {file, row.line()});
    const auto lacks = [](const AttentionShape& a, int layers) {
      return layers > 0 && (a.heads <= 0 || a.kv_heads <= 0 || a.head_dim <= 0);
    };
    if (lacks(m.attention, m.full_layers) || lacks(m.windowed, m.window_layers))
      return failure(
          fmt::format("model \"{}\": its attention has no heads, or heads without a width", m.name),
          {file, row.line()});
    out.push_back({std::move(m), split(row["aliases"], '|')});
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

const std::vector<KnownModel>& models() {
  static const std::vector<KnownModel> kModels = read_models(models_table(), "data/models.csv").value();
  return kModels;
}

Result<ModelSpec> find_model(std::string_view name, std::span<const KnownModel> known) {
  const auto read = reading(name);
  for (const auto& k : known)
    if (is_called(k, name)) return named(k.spec, name, read.quantization);
  std::vector<const KnownModel*> found;
  for (const auto& k : known)
    if (reads_as(k, read.key)) found.push_back(&k);
  // Of a model and its own quantized checkpoint, the one that names the same quantization, else the plain
  // one.
  if (found.size() > 1 && std::ranges::any_of(found, [&](const auto* k) {
        return reading(k->spec.name).quantization == read.quantization;
      }))
    std::erase_if(found,
                  [&](const auto* k) { return reading(k->spec.name).quantization != read.quantization; });
  if (found.size() == 1) return named(found.front()->spec, name, read.quantization);
  if (found.size() > 1)
    return failure(fmt::format("model \"{}\" may be any of {}", name, listed(found)), {},
                   "give the whole name");
  return failure(fmt::format("model \"{}\" is not known", name), {}, near(name, known));
}

}  // namespace etiage::catalog
