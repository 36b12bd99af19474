#include <charconv>
#include <cstring>
#include <fmt/format.h>

#include "formats/document.h"
#include "formats/models/tensors.h"

namespace etiage::formats {
namespace {

constexpr std::uint64_t kLongestHeader = 100'000'000;  ///< the format's own limit

bool has(std::string_view name, std::initializer_list<std::string_view> words) {
  for (const auto word : words)
    if (name.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

int tensor_layer(std::string_view name) {
  for (const std::string_view mark : {"layers.", "blk."}) {
    const auto at = name.find(mark);
    if (at == std::string_view::npos) continue;
    int layer = -1;
    std::from_chars(name.data() + at + mark.size(), name.data() + name.size(), layer);
    return layer;
  }
  return -1;
}

std::optional<TensorKind> tensor_kind(std::string_view name, int layers) {
  if (has(name, {"mtp.", "nextn"}) || (layers > 0 && tensor_layer(name) >= layers)) return std::nullopt;
  if (has(name, {"visual", "vision", "audio", "multi_modal"})) return TensorKind::kOther;
  if (has(name, {"embed_tokens", "wte", "token_embd", "tok_embeddings"})) return TensorKind::kEmbedding;
  if (has(name, {"lm_head"}) || name.starts_with("output.")) return TensorKind::kHead;
  if (has(name, {"norm"})) return TensorKind::kNorm;
  if (has(name, {"shared_expert", "_shexp"})) return TensorKind::kSharedExpert;
  if (has(name, {"mlp.gate.", "router", "moe.gate.", "ffn_gate_inp"})) return TensorKind::kRouter;
  if (has(name, {"experts", "_exps"})) return TensorKind::kExpert;
  if (has(name, {"linear_attn", "mamba", "ssm"})) return TensorKind::kRecurrent;
  if (has(name, {"kv_a_proj", "q_a_proj", "indexer", "attn_kv_a", "attn_q_a"}))
    return TensorKind::kLatentDown;
  if (has(name, {"attn", "attention"})) return TensorKind::kAttention;
  if (has(name, {"mlp", "feed_forward", "ffn"})) return TensorKind::kFeedForward;
  return TensorKind::kOther;
}

Result<void> add_safetensors(std::string_view head, const std::string& file, int layers,
                             CheckpointBytes& bytes) {
  if (head.size() < 8) return failure("too short for a safetensors file", {file});
  std::uint64_t length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  if (length > kLongestHeader)
    return failure(
        fmt::format("the header says it is {} bytes long; safetensors allows {}", length, kLongestHeader),
        {file}, "the file is damaged or no safetensors file");
  if (length > head.size() - 8)
    return failure(fmt::format("the header of {} bytes is cut off after {}", length, head.size() - 8),
                   {file});
  Diagnostics faults;
  const auto documents = read_documents(head.substr(8, length), file, faults);
  if (!faults.empty() || documents.size() != 1 || !documents.front().is_map())
    return failure("the header is no JSON object", {file});
  for (const auto& [name, tensor] : documents.front().members()) {
    if (name == "__metadata__") continue;
    const auto begin = tensor["data_offsets"].at(0).as_int(), end = tensor["data_offsets"].at(1).as_int();
    if (!begin || !end || *begin < 0 || *end < *begin)
      return failure(fmt::format("tensor \"{}\" has no sound data_offsets", name), {file});
    if (const auto kind = tensor_kind(name, layers)) bytes[static_cast<std::size_t>(*kind)] += *end - *begin;
  }
  return {};
}

}  // namespace etiage::formats
