#include "engines/serving/sharding.h"

#include <algorithm>
#include <numeric>

#include "engines/serving/parameters.h"

namespace etiage::serving {
namespace {

/// The part of the attention weights a rank keeps: queries and output split evenly, keys and values by whole
/// heads.
double attention_share(const ModelSpec& m, int tensor) {
  if (m.latent || tensor == 1) return 1.0 / tensor;
  const AttentionShape& a = m.full_layers > 0 ? m.attention : m.windowed;
  const double query = static_cast<double>(a.heads) * (a.head_dim * (a.output_gate ? 2 : 1) + a.value_dim);
  const double pair = a.head_dim + (a.shared_key_value ? 0 : a.value_dim);
  const double whole = query + a.kv_heads * pair;
  return (query / tensor + kv_heads_per_rank(a.kv_heads, tensor) * pair) / whole;
}

double share(const ModelSpec& m, TensorKind kind, const Parallelism& split) {
  switch (kind) {
    case TensorKind::kAttention:
      return attention_share(m, split.tensor);
    case TensorKind::kLatentDown:
    case TensorKind::kRouter:
    case TensorKind::kNorm:
      return 1;
    case TensorKind::kExpert:
      return 1.0 / (split.tensor * split.data);
    default:
      return 1.0 / split.tensor;
  }
}

double rounded_up(int width, int multiple) {
  return static_cast<double>((width + multiple - 1) / multiple * multiple) / width;
}

double growth(const ModelSpec& m, TensorKind kind, WeightFormat format, Mxfp4Padding padding) {
  if (kind != TensorKind::kExpert || format != WeightFormat::kMxfp4) return 1;
  if (padding == Mxfp4Padding::kNone) return 1;
  return padding == Mxfp4Padding::kTriton
             ? rounded_up(m.moe->intermediate, 256)
             : rounded_up(m.moe->intermediate, 128) * rounded_up(expert_hidden(m), 256);
}

bool in_layers(TensorKind kind) {
  return kind != TensorKind::kEmbedding && kind != TensorKind::kHead && kind != TensorKind::kOther;
}

}  // namespace

int kv_heads_per_rank(int kv_heads, int tensor) {
  return std::max(1, (kv_heads + tensor - 1) / tensor);
}

int stage_layers(int layers, int pipeline) {
  return (layers + pipeline - 1) / pipeline;
}

double sum(const ByTensorKind<double>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

ByTensorKind<double> weights_per_gpu(const ModelSpec& m, const QuantizationScheme& scheme,
                                     const Parallelism& split, Mxfp4Padding padding) {
  const auto counts = parameters(m);
  const double stage = static_cast<double>(stage_layers(m.layers, split.pipeline)) / std::max(1, m.layers);
  ByTensorKind<double> bytes{};
  for (std::size_t i = 0; i < kTensorKinds; ++i) {
    const auto kind = static_cast<TensorKind>(i);
    const double whole = m.checkpoint ? static_cast<double>((*m.checkpoint)[i])
                                      : static_cast<double>(counts[i]) * bits(scheme, kind) / 8;
    bytes[i] = whole * share(m, kind, split) * growth(m, kind, scheme.formats[i], padding) *
               (in_layers(kind) ? stage : 1);
  }
  if (split.pipeline > 1) {  // the first stage has the embedding, the last the head: the heavier one counts
    auto& embedding = bytes[static_cast<std::size_t>(TensorKind::kEmbedding)];
    auto& head = bytes[static_cast<std::size_t>(TensorKind::kHead)];
    (embedding < head ? embedding : head) = 0;
  }
  return bytes;
}

}  // namespace etiage::serving
