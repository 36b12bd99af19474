#include "app/checkpoint.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

#include "adapters/input_file.h"
#include "catalog/cells.h"
#include "engines/serving/parameters.h"
#include "engines/serving/quantization.h"
#include "formats/document.h"
#include "formats/models/tensors.h"

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

/// The one object of a JSON file; null where the file is not there.
Result<Tree> read_object(const fs::path& path) {
  std::error_code none;
  if (!fs::exists(path, none)) return Tree();
  auto file = adapters::InputFile::open(path.string());
  if (!file) return std::unexpected(file.error());
  Diagnostics faults;
  auto documents = formats::read_documents(file->whole().bytes, path.string(), faults);
  if (!faults.empty()) return failure(faults.front().message, faults.front().place);
  if (documents.size() != 1 || !documents.front().is_map())
    return failure("it holds no single object", {path.string()});
  return std::move(documents.front());
}

/// Files that hold the weights: those of the index, else all but a second copy in Mistral's own naming.
std::vector<fs::path> shards_in(const fs::path& folder, const Tree& index) {
  std::set<fs::path> named, found;
  for (const auto& [tensor, file] : index["weight_map"].members()) named.insert(folder / file.text());
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".safetensors" && (named.empty() || named.contains(entry.path())))
      found.insert(entry.path());
  if (found.size() < named.size()) return {};  // not all are here: their headers would say too little
  if (found.size() > 1)
    std::erase_if(found, [](const fs::path& p) { return p.filename().string().starts_with("consolidated"); });
  return {found.begin(), found.end()};
}

/// The parts that a name such as `model-00001-of-00004.safetensors` tells of; 1: it is whole.
std::size_t parts_told(const fs::path& shard) {
  const auto name = shard.stem().string();
  const auto at = name.rfind("-of-");
  const auto parts = at == std::string::npos ? std::nullopt : catalog::whole(name.substr(at + 4));
  return parts && *parts > 0 ? static_cast<std::size_t>(*parts) : 1;
}

/// Layers beyond the model's own that the index names: they are in the total, and engines do not load them.
int layers_beyond(const Tree& index, int layers) {
  std::set<int> beyond;
  for (const auto& [tensor, file] : index["weight_map"].members())
    if (const int layer = formats::tensor_layer(tensor); layer >= layers) beyond.insert(layer);
  return static_cast<int>(beyond.size());
}

Result<void> share_out(ModelSpec& m, const Tree& index, const std::string& file) {
  const auto total = index["metadata"]["total_size"].as_double();
  if (!total) return {};
  if (!(*total > 0) || *total > 1e15) return failure("its total_size makes no sense", {file});
  const auto scheme = serving::quantization_scheme("", m);
  if (!scheme) return std::unexpected(scheme.error());
  const auto counts = serving::parameters(m);
  ByTensorKind<double> bytes{};
  for (std::size_t i = 0; i < kTensorKinds; ++i)
    bytes[i] = static_cast<double>(counts[i]) * serving::bits(*scheme, static_cast<TensorKind>(i)) / 8;
  const double counted = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  const double own = static_cast<double>(m.layers) / (m.layers + layers_beyond(index, m.layers));
  CheckpointBytes out{};
  for (std::size_t i = 0; i < kTensorKinds; ++i)
    out[i] = static_cast<std::int64_t>(bytes[i] / counted * *total * own);
  m.checkpoint = out;
  return {};
}

}  // namespace

Result<void> add_checkpoint(ModelSpec& m, const fs::path& folder) {
  const auto index_path = folder / "model.safetensors.index.json";
  const auto index = read_object(index_path);
  if (!index) return std::unexpected(index.error());
  const auto shards = shards_in(folder, *index);
  for (const auto& shard : shards)
    if (const auto parts = parts_told(shard); parts > shards.size())
      return failure(fmt::format("{} of {} parts of the weights are here", shards.size(), parts),
                     {folder.string()}, "fetch the others, or model.safetensors.index.json");
  CheckpointBytes bytes{};
  for (const auto& shard : shards) {
    auto file = adapters::InputFile::open(shard.string());
    if (!file) return std::unexpected(file.error());
    if (auto ok = formats::add_safetensors(file->whole().bytes, shard.string(), m.layers, bytes); !ok)
      return ok;
  }
  if (shards.empty()) return share_out(m, *index, index_path.string());
  m.checkpoint = bytes;
  return enough(m, folder.string());
}

Result<void> enough(const ModelSpec& m, const std::string& file) {
  const auto counted = serving::total(serving::parameters(m)) - m.other_parameters,
             held = std::accumulate(m.checkpoint->begin(), m.checkpoint->end(), std::int64_t{0});
  if (held * 8 >= counted) return {};
  return failure(fmt::format("{:.3g} GB of weights are less than a bit for each of {:.3g} billion parameters",
                             static_cast<double>(held) / 1e9, static_cast<double>(counted) / 1e9),
                 {file}, "part of the checkpoint is missing");
}

Result<Tree> quantization_beside(const fs::path& folder) {
  auto own = read_object(folder / "hf_quant_config.json");
  if (!own) return own;
  return (*own)["quantization"];
}

}  // namespace etiage::app
