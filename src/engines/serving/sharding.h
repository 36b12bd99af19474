#pragma once
// What one GPU of a replica holds of the weights.

#include "engines/serving/quantization.h"
#include "model/model_spec.h"

namespace etiage::serving {

/// Ways of splitting one replica. `data`: attention is replicated and requests are spread; experts are spread
/// over all tensor x data ranks, as vLLM, SGLang and TensorRT-LLM do.
struct Parallelism {
  int tensor = 1, pipeline = 1, data = 1, expert = 1;

  int gpus() const { return tensor * pipeline * data; }
  bool operator==(const Parallelism&) const = default;
};

/// The most that any head count leaves a rank of `tensor`: KV heads are replicated once there are more ranks
/// than heads.
int kv_heads_per_rank(int kv_heads, int tensor);

/// Layers of the longest pipeline stage.
int stage_layers(int layers, int pipeline);

/// Bytes by kind on the heaviest GPU: the stage with the most layers and the larger of embedding and head.
/// `pad_mxfp4`: expert widths are rounded up to 256 as the kernels of compute capability 9 and later need.
ByTensorKind<double> weights_per_gpu(const ModelSpec& model, const QuantizationScheme& scheme,
                                     const Parallelism& split, bool pad_mxfp4);

double sum(const ByTensorKind<double>& bytes);

}  // namespace etiage::serving
