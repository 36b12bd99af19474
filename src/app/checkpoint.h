#pragma once
// What lies beside a config.json and says more about the weights than it does.

#include <filesystem>

#include "base/result.h"
#include "base/tree.h"
#include "model/model_spec.h"

namespace etiage::app {

/// Sets the bytes by kind of `model`: from the headers of the safetensors files in `folder` (those of its
/// index, where there is one), else from the total size in `model.safetensors.index.json`, shared out as the
/// counted weights are. Nothing where there is neither.
Result<void> add_checkpoint(ModelSpec& model, const std::filesystem::path& folder);

/// Refused where the bytes of `model` are less than a bit a parameter: then part of the checkpoint is
/// missing.
Result<void> enough(const ModelSpec& model, const std::string& file);

/// The quantization that ModelOpt writes into a file of its own; null where there is none.
Result<Tree> quantization_beside(const std::filesystem::path& folder);

}  // namespace etiage::app
