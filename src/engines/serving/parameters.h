#pragma once
// Serving: how an inference engine spends memory and time on one model: weights, KV cache, the rest of the
// budget, and the duration of one engine step. Pure functions of plain values; facts and coefficients come in
// as arguments. This header: parameters of a model, counted by what they do.

#include "model/model_spec.h"

namespace etiage::serving {

/// Parameters by kind, whole model. Norms and biases are counted as far as they weigh (two norms a layer).
ByTensorKind<std::int64_t> parameters(const ModelSpec& model);

std::int64_t total(const ByTensorKind<std::int64_t>& counts);

/// Width of what the experts see: the hidden state, or what it is compressed to for them.
int expert_hidden(const ModelSpec& model);

/// Parameters that one token passes through, both embeddings included (as vendors count "active").
std::int64_t active_parameters(const ModelSpec& model);

}  // namespace etiage::serving
