#include <cstdlib>
#include <filesystem>

#include "adapters/input_file.h"
#include "app/checkpoint.h"
#include "app/size.h"
#include "catalog/models.h"
#include "formats/document.h"
#include "formats/models/hf_config.h"
#include "formats/models/hf_quantization.h"
#include "formats/models/tensors.h"

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

/// The known model of the same shapes: its measurements apply to this one.
std::string same_shapes(const ModelSpec& m, std::span<const catalog::KnownModel> known) {
  for (const auto& k : known)
    if (k.spec.layers == m.layers && k.spec.hidden == m.hidden &&
        k.spec.attention.heads == m.attention.heads && k.spec.attention.kv_heads == m.attention.kv_heads &&
        k.spec.moe == m.moe)
      return k.spec.name;
  return "";
}

Result<ModelSpec> from_file(const std::string& name, const fs::path& path,
                            std::span<const catalog::KnownModel> known) {
  auto file = adapters::InputFile::open(path.string());
  if (!file) return std::unexpected(file.error());
  const auto bytes = file->whole();
  if (bytes.bytes.starts_with("GGUF")) {
    auto m = formats::read_gguf(bytes.bytes, path.string());
    if (!m) return m;
    if (auto ok = enough(*m, path.string()); !ok) return std::unexpected(ok.error());
    m->shapes = same_shapes(*m, known);
    return m;
  }
  Diagnostics faults;
  const auto documents = formats::read_documents(bytes.bytes, path.string(), faults);
  if (!faults.empty()) return failure(faults.front().message, faults.front().place);
  if (documents.size() != 1) return failure("not a config.json: it holds no single object", {path.string()});
  auto m = formats::read_hf_config(
      documents.front(), name.empty() ? path.parent_path().filename().string() : name, path.string());
  if (!m) return m;
  const auto folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  if (m->native_quantization.empty()) {
    const auto own = quantization_beside(folder);
    if (!own) return std::unexpected(own.error());
    if (auto ok = formats::read_quantization(*m, *own, (folder / "hf_quant_config.json").string()); !ok)
      return std::unexpected(ok.error());
  }
  if (auto ok = add_checkpoint(*m, folder); !ok) return std::unexpected(ok.error());
  m->shapes = same_shapes(*m, known);
  return m;
}

/// The config.json that describes what is named: in that folder, beside those weights, or the file itself.
Result<fs::path> description(const fs::path& named) {
  std::error_code none;
  if (fs::is_directory(named, none)) return named / "config.json";
  if (named.extension() != ".safetensors") return named;
  auto beside = named.parent_path() / "config.json";
  if (fs::exists(beside, none)) return beside;
  return failure("weights alone do not say how the model is built", {named.string()},
                 "put its config.json beside it, or give that by --config");
}

Result<ModelSpec> described(const std::string& name, const std::string& named,
                            std::span<const catalog::KnownModel> known) {
  const auto path = description(named);
  if (!path) return std::unexpected(path.error());
  return from_file(name, *path, known);
}

/// `hub/models--ORG--NAME/snapshots/*/config.json` of the local Hugging Face cache.
std::optional<fs::path> cached(const std::string& name) {
  const char* const hub = std::getenv("HF_HUB_CACHE");
  const char* const home = std::getenv("HF_HOME");
  const char* const user = std::getenv("HOME");
  if (hub == nullptr && home == nullptr && user == nullptr) return std::nullopt;
  std::string folder = "models--";
  for (const char c : name) folder += c == '/' ? std::string("--") : std::string(1, c);
  std::error_code none;
  const fs::path root = hub != nullptr    ? fs::path(hub)
                        : home != nullptr ? fs::path(home) / "hub"
                                          : fs::path(user) / ".cache/huggingface/hub";
  for (const auto& entry : fs::directory_iterator(root / folder / "snapshots", none))
    if (fs::exists(entry.path() / "config.json", none)) return entry.path() / "config.json";
  return std::nullopt;
}

}  // namespace

Result<ModelSpec> model_of(const std::string& name, const std::string& config,
                           std::span<const catalog::KnownModel> known) {
  if (!config.empty()) return described(name, config, known);
  if (name.empty())
    return failure("no model is named", {}, "as in etiage size Qwen/Qwen3-32B, or --config config.json");
  auto found = catalog::find_model(name, known);
  if (found) return found;
  std::error_code none;
  if (fs::exists(name, none)) return described("", name, known);
  if (const auto local = cached(name)) return from_file(name, *local, known);
  return found;
}

}  // namespace etiage::app
