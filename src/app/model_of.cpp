#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "adapters/input_file.h"
#include "app/size.h"
#include "catalog/models.h"
#include "engines/serving/parameters.h"
#include "engines/serving/quantization.h"
#include "formats/document.h"
#include "formats/models/hf_config.h"
#include "formats/models/tensors.h"

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

/// Adds what the headers beside the config say about bytes; nothing where there are no weights beside it.
Result<void> add_checkpoint(ModelSpec& m, const fs::path& folder) {
  std::vector<fs::path> shards;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".safetensors") shards.push_back(entry.path());
  std::ranges::sort(shards);
  CheckpointBytes bytes{};
  for (const auto& shard : shards) {
    auto file = adapters::InputFile::open(shard.string());
    if (!file) return std::unexpected(file.error());
    if (auto ok = formats::add_safetensors(file->whole().bytes, shard.string(), m.layers, bytes); !ok)
      return ok;
  }
  if (!shards.empty()) m.checkpoint = bytes;
  return {};
}

/// The known model of the same shapes: its measurements apply to this one.
std::string same_shapes(const ModelSpec& m) {
  for (const auto& k : catalog::models())
    if (k.spec.layers == m.layers && k.spec.hidden == m.hidden &&
        k.spec.attention.heads == m.attention.heads && k.spec.attention.kv_heads == m.attention.kv_heads &&
        k.spec.moe == m.moe)
      return k.spec.name;
  return "";
}

Result<ModelSpec> from_file(const std::string& name, const fs::path& path) {
  auto file = adapters::InputFile::open(path.string());
  if (!file) return std::unexpected(file.error());
  const auto bytes = file->whole();
  if (bytes.bytes.starts_with("GGUF")) return formats::read_gguf(bytes.bytes, path.string());
  Diagnostics faults;
  const auto documents = formats::read_documents(bytes.bytes, path.string(), faults);
  if (!faults.empty()) return failure(faults.front().message, faults.front().place);
  if (documents.size() != 1) return failure("not a config.json: it holds no single object", {path.string()});
  auto m = formats::read_hf_config(
      documents.front(), name.empty() ? path.parent_path().filename().string() : name, path.string());
  if (!m) return m;
  if (auto ok = add_checkpoint(*m, path.parent_path().empty() ? fs::path(".") : path.parent_path()); !ok)
    return std::unexpected(ok.error());
  m->shapes = same_shapes(*m);
  return m;
}

/// `hub/models--ORG--NAME/snapshots/*/config.json` of the local Hugging Face cache.
std::optional<fs::path> cached(const std::string& name) {
  const char* const home = std::getenv("HF_HOME");
  const char* const user = std::getenv("HOME");
  if (home == nullptr && user == nullptr) return std::nullopt;
  std::string folder = "models--";
  for (const char c : name) folder += c == '/' ? std::string("--") : std::string(1, c);
  std::error_code none;
  const fs::path root = (home != nullptr ? fs::path(home) : fs::path(user) / ".cache/huggingface") / "hub" /
                        folder / "snapshots";
  for (const auto& entry : fs::directory_iterator(root, none))
    if (fs::exists(entry.path() / "config.json", none)) return entry.path() / "config.json";
  return std::nullopt;
}

}  // namespace

Result<ModelSpec> model_of(const std::string& name, const std::string& config) {
  std::error_code none;
  if (!config.empty())
    return from_file(name,
                     fs::is_directory(config, none) ? fs::path(config) / "config.json" : fs::path(config));
  if (name.empty())
    return failure("no model is named", {}, "as in etiage size Qwen/Qwen3-32B, or --config config.json");
  auto known = catalog::find_model(name, catalog::models());
  if (known) return known;
  if (fs::is_directory(name, none)) return from_file("", fs::path(name) / "config.json");
  if (fs::is_regular_file(name, none)) return from_file("", name);
  if (const auto local = cached(name)) return from_file(name, *local);
  return known;
}

}  // namespace etiage::app
