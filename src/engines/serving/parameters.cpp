#include "engines/serving/parameters.h"

#include <numeric>

namespace etiage::serving {
namespace {

using Count = std::int64_t;

Count& of(ByTensorKind<Count>& counts, TensorKind kind) {
  return counts[static_cast<std::size_t>(kind)];
}

Count attention_layer(const AttentionShape& a, Count hidden) {
  const Count query = hidden * a.heads * a.head_dim * (a.output_gate ? 2 : 1);
  const Count key = hidden * a.kv_heads * a.head_dim;
  const Count value = a.shared_key_value ? 0 : hidden * a.kv_heads * a.value_dim;
  return query + key + value + Count{a.heads} * a.value_dim * hidden;
}

/// The projections onto the latents: every tensor-parallel rank keeps them whole.
Count latent_down(const LatentAttention& m, Count hidden) {
  return hidden * m.query_rank + hidden * (m.kv_rank + m.rope_dim);
}

Count latent_up(const LatentAttention& m, int heads, Count hidden) {
  const Count query_in = m.query_rank > 0 ? m.query_rank : hidden;
  return query_in * heads * (m.nope_dim + m.rope_dim) +
         Count{m.kv_rank} * heads * (m.nope_dim + m.value_dim) + Count{heads} * m.value_dim * hidden;
}

Count indexer_layer(const SparseIndexer& x, const LatentAttention& m, Count hidden) {
  return Count{m.query_rank} * x.heads * x.dim + hidden * x.dim + hidden * x.heads;
}

Count recurrent_layer(const RecurrentShape& r, Count hidden) {
  const Count keys = Count{r.key_heads} * r.key_dim, values = Count{r.heads} * r.value_dim;
  switch (r.kind) {
    case RecurrentShape::Kind::kGatedDelta:
      return hidden * (2 * keys + 2 * values + 2 * r.heads) + (2 * keys + values) * r.convolution +
             values * hidden;
    case RecurrentShape::Kind::kKimiDelta:  // query, key, value, low-rank gates of one head width, output
      return hidden * (2 * keys + values) + 2 * (hidden * r.value_dim + r.value_dim * values) +
             hidden * r.heads + (2 * keys + values) * r.convolution + values * hidden;
    case RecurrentShape::Kind::kMamba2:
      return hidden * (2 * values + 2 * keys + r.heads) + (values + 2 * keys) * r.convolution +
             values * hidden;
    case RecurrentShape::Kind::kMamba1: {  // step rank hidden / 16, as the reference code sets it
      const Count inner = r.value_dim, rank = hidden / 16;
      return hidden * 2 * inner + inner * r.convolution + inner * (rank + 2 * r.key_dim) + rank * inner +
             inner * r.key_dim + inner * hidden;
    }
  }
  return 0;
}

}  // namespace

int expert_hidden(const ModelSpec& m) {
  return m.moe && m.moe->hidden > 0 ? m.moe->hidden : m.hidden;
}

ByTensorKind<Count> parameters(const ModelSpec& m) {
  ByTensorKind<Count> counts{};
  const Count hidden = m.hidden, matrices = m.gated ? 3 : 2;
  if (m.latent) {
    of(counts, TensorKind::kLatentDown) = m.full_layers * latent_down(*m.latent, hidden);
    of(counts, TensorKind::kAttention) = m.full_layers * latent_up(*m.latent, m.attention.heads, hidden);
    if (m.indexer)
      of(counts, TensorKind::kLatentDown) += m.full_layers * indexer_layer(*m.indexer, *m.latent, hidden);
  } else {
    of(counts, TensorKind::kAttention) = m.full_layers * attention_layer(m.attention, hidden) +
                                         m.window_layers * attention_layer(m.windowed, hidden);
  }
  if (m.recurrent)
    of(counts, TensorKind::kRecurrent) = m.recurrent_layers * recurrent_layer(*m.recurrent, hidden);
  of(counts, TensorKind::kFeedForward) = m.dense_layers * matrices * hidden * m.intermediate;
  if (m.moe) {
    const Count seen = expert_hidden(m);
    of(counts, TensorKind::kExpert) =
        Count{m.moe_layers} * m.moe->experts * matrices * seen * m.moe->intermediate;
    of(counts, TensorKind::kSharedExpert) =
        Count{m.moe_layers} * matrices * hidden * m.moe->shared_intermediate;
    // What compresses tokens for the experts and back is as the router is: whole on every rank, 16 bit.
    const Count compression = m.moe->hidden > 0 ? 2 * hidden * seen : 0;
    of(counts, TensorKind::kRouter) = m.moe_layers * (hidden * m.moe->experts + compression);
  }
  of(counts, TensorKind::kEmbedding) = Count{m.vocabulary} * hidden;
  of(counts, TensorKind::kHead) = m.tied_embeddings ? 0 : Count{m.vocabulary} * hidden;
  of(counts, TensorKind::kNorm) = (2 * Count{m.layers} + 1) * hidden;
  of(counts, TensorKind::kOther) = m.other_parameters;
  return counts;
}

Count total(const ByTensorKind<Count>& counts) {
  return std::accumulate(counts.begin(), counts.end(), Count{0});
}

Count active_parameters(const ModelSpec& m) {
  auto counts = parameters(m);
  if (m.moe) {
    auto& experts = of(counts, TensorKind::kExpert);
    experts = experts / m.moe->experts * m.moe->per_token;
  }
  return total(counts);
}

}  // namespace etiage::serving
