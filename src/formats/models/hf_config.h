#pragma once
// A Hugging Face `config.json` to the shapes of a model.

#include <string>

#include "base/result.h"
#include "base/tree.h"
#include "model/model_spec.h"

namespace etiage::formats {

/// `name` is what the model is called. Refused: an architecture whose layers we do not know (named, with
/// those we do), and keys that are missing or make no sense (all of them in one message). Nested
/// `text_config` is read where it is there.
Result<ModelSpec> read_hf_config(const Tree& config, const std::string& name, const std::string& file);

}  // namespace etiage::formats
