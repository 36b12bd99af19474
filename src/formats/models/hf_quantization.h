#pragma once
// The `quantization_config` of a Hugging Face checkpoint: its scheme, and what its ignore lists leave at 16
// bit.

#include <string>

#include "base/result.h"
#include "base/tree.h"
#include "model/model_spec.h"

namespace etiage::formats {

/// Sets `native_quantization` and `unquantized` of a model whose layers are read already. `config` is the
/// object of `quantization_config`, or of `quantization` in ModelOpt's hf_quant_config.json. Refused: a
/// method that is not known.
Result<void> read_quantization(ModelSpec& model, const Tree& config, const std::string& file);

}  // namespace etiage::formats
