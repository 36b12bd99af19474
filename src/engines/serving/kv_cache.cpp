#include "engines/serving/kv_cache.h"

#include <algorithm>
#include <cmath>

namespace etiage::serving {
namespace {

/// Bytes of a vector of `dim` numbers of each of `heads` heads.
double vector_bytes(KvFormat format, double heads, double dim) {
  switch (format) {
    case KvFormat::kFloat16:
      return heads * dim * 2;
    case KvFormat::kFp8:
    case KvFormat::kFp8LatentSparse:
      return heads * dim;
    case KvFormat::kInt8PerTokenHead:
      return heads * (dim + 4);
    case KvFormat::kNvfp4:
      return heads * (dim / 2 + dim / 16);
  }
  return 0;
}

double token_bytes(const AttentionShape& a, KvFormat format, int tensor) {
  const int heads = kv_heads_per_rank(a.kv_heads, tensor);
  return vector_bytes(format, heads, a.head_dim) + vector_bytes(format, heads, a.value_dim);
}

/// The latent is kept by every rank; vLLM's sparse FP8 layout is 656 bytes; the indexer adds an FP8 key and
/// its scale.
double latent_bytes(const ModelSpec& m, KvFormat format) {
  const double latent = format == KvFormat::kFp8LatentSparse
                            ? 656
                            : vector_bytes(format, 1, m.latent->kv_rank + m.latent->rope_dim);
  return latent + (m.indexer ? m.indexer->dim + 4 : 0);
}

/// One layer's state of one sequence: the matrix state in fp32 (delta rules) or 16 bit (Mamba), and the
/// convolution's tail.
double recurrent_state_bytes(const RecurrentShape& r, int tensor) {
  const double keys = static_cast<double>(r.key_heads) * r.key_dim,
               values = static_cast<double>(r.heads) * r.value_dim;
  const bool mamba = r.kind == RecurrentShape::Kind::kMamba1 || r.kind == RecurrentShape::Kind::kMamba2;
  const double state = values * r.key_dim * (mamba ? 2 : 4);
  const double tail =
      (r.convolution - 1) * (r.kind == RecurrentShape::Kind::kMamba1 ? values : 2 * keys + values) * 2;
  return (state + tail) / tensor;
}

int round_up(double value, int multiple) {
  return static_cast<int>(std::ceil(value / multiple)) * multiple;
}

/// Layers a group: the smallest kind's count, unless the kinds are nearly even (then the largest, to waste
/// least).
int group_layers(int full, int window, int recurrent) {
  int least = 0, most = 0;
  for (const int n : {full, window, recurrent}) {
    if (n == 0) continue;
    least = least == 0 ? n : std::min(least, n);
    most = std::max(most, n);
  }
  return most < least * 1.25 ? most : least;
}

int groups_of(int layers, int group) {
  return group == 0 ? 0 : (layers + group - 1) / group;
}

}  // namespace

KvLayout kv_layout(const ModelSpec& m, KvFormat format, const Parallelism& split, const KvRules& rules) {
  const double full_token =
      m.latent ? latent_bytes(m, format) : token_bytes(m.attention, format, split.tensor);
  const double window_token = token_bytes(m.windowed, format, split.tensor);
  const double state = m.recurrent ? recurrent_state_bytes(*m.recurrent, split.tensor) : 0;
  const int full = stage_layers(m.full_layers, split.pipeline),
            window = stage_layers(m.window_layers, split.pipeline),
            recurrent = stage_layers(m.recurrent_layers, split.pipeline);
  KvLayout out{.bytes_per_token = full * full_token,
               .window_bytes_per_token = window * window_token,
               .state_bytes = recurrent * state};
  out.recurrent_pages = rules.recurrent_pages;
  out.window = m.window;
  out.window_tokens =
      m.chunked_window ? m.window + rules.max_batched_tokens : m.window - 1 + rules.max_batched_tokens;
  const int group = group_layers(full, rules.hybrid_manager ? window : 0, recurrent);
  double page =
      std::max(full_token, rules.hybrid_manager || full == 0 ? window_token : 0) * rules.block_tokens;
  out.block_tokens = rules.block_tokens;
  if (recurrent > 0) {  // the attention block grows until its page holds a layer's state
    const double token = std::max(full_token, window_token);
    out.block_tokens = token > 0 ? std::max(rules.block_tokens, round_up(state / token, rules.block_tokens))
                                 : rules.block_tokens;
    page = std::max(state, token * out.block_tokens);
  }
  out.full_block_tokens = out.block_tokens;
  if (recurrent == 0 && full_token > 0)
    out.full_block_tokens *= static_cast<int>(page / (full_token * out.block_tokens));
  if (!rules.hybrid_manager && window > 0 &&
      recurrent == 0) {  // one group of all layers, each with the whole length
    out.bytes_per_token += out.window_bytes_per_token;
    out.window_bytes_per_token = 0;
    out.block_bytes = out.bytes_per_token * out.block_tokens;
    out.full_block_tokens = out.block_tokens;
    out.full_groups = 1;
    return out;
  }
  out.full_groups = groups_of(full, group);
  out.window_groups = groups_of(window, group);
  out.recurrent_groups = groups_of(recurrent, group);
  out.block_bytes = page * group;
  return out;
}

std::int64_t blocks_per_sequence(const KvLayout& k, std::int64_t tokens) {
  const auto blocks = [](std::int64_t n, int each) { return (n + each - 1) / each; };
  const std::int64_t window =
      std::min(blocks(tokens, k.block_tokens), blocks(std::min(tokens, k.window_tokens), k.block_tokens) + 1);
  return k.full_groups * blocks(tokens, k.full_block_tokens) + k.window_groups * window +
         std::int64_t{k.recurrent_groups} * k.recurrent_pages;
}

std::int64_t blocks_in(const KvLayout& k, double pool_bytes) {
  return pool_bytes <= 0 || k.block_bytes <= 0 ? 0 : static_cast<std::int64_t>(pool_bytes / k.block_bytes);
}

double max_concurrency(const KvLayout& k, double pool_bytes, std::int64_t tokens) {
  const auto each = blocks_per_sequence(k, tokens);
  return each == 0 ? 0 : static_cast<double>(blocks_in(k, pool_bytes)) / static_cast<double>(each);
}

double bytes_read(const KvLayout& k, double context) {
  return k.bytes_per_token * context +
         k.window_bytes_per_token * std::min(context, static_cast<double>(k.window)) + 2 * k.state_bytes;
}

}  // namespace etiage::serving
