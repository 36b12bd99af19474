#pragma once
// The models we know by name, and how a name as people write it finds its model.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model_spec.h"

namespace etiage::catalog {

/// A row of data/models.csv; `aliases` are other names of the same shapes.
struct KnownModel {
  ModelSpec spec;
  std::vector<std::string> aliases;
};

/// The built-in table, read once.
const std::vector<KnownModel>& models();

/// Reads a table of that form; refuses a row whose counts do not add up.
Result<std::vector<KnownModel>> read_models(std::string_view csv, const std::string& file);

/// The model that `name` means: exact, else without organisation, case, punctuation and the words that only
/// name a tuning
/// (`Instruct`, `chat`, `hf`) or a quantization. A quantization in the name (`-FP8`, `-AWQ`) becomes the
/// native one. Refused where nothing or more than one fits, with the candidates.
Result<ModelSpec> find_model(std::string_view name, std::span<const KnownModel> known);

}  // namespace etiage::catalog
