#pragma once
// Headers of checkpoints: which tensors there are, and how many bytes each takes. Weights themselves are
// never read.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/model_spec.h"

namespace etiage::formats {

/// The number behind `layers.` or `blk.` in a tensor's name, or -1.
int tensor_layer(std::string_view name);

/// What a tensor does, by its name in Hugging Face's or llama.cpp's manner; nothing for what engines do not
/// load (multi-token prediction layers beyond `layers`).
std::optional<TensorKind> tensor_kind(std::string_view name, int layers);

/// Adds the bytes of one safetensors file (its head: 8 bytes of length, then JSON) to `bytes`. Refused: a
/// length beyond 100 MB, which the format forbids, or beyond the file.
Result<void> add_safetensors(std::string_view head, const std::string& file, int layers,
                             CheckpointBytes& bytes);

/// A GGUF file's header: the shapes of the model and the bytes of its tensors.
Result<ModelSpec> read_gguf(std::string_view head, const std::string& file);

}  // namespace etiage::formats
