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

/// How kernels want MXFP4 experts: as they are (Ampere), their inner width rounded up to 256 (Triton, from
/// compute capability 9 on), or that to 128 and the hidden width to 256 (Marlin on Hopper).
enum class Mxfp4Padding { kNone, kTriton, kMarlin };

/// Bytes by kind on the heaviest GPU: the stage with the most layers and the larger of embedding and head.
ByTensorKind<double> weights_per_gpu(const ModelSpec& model, const QuantizationScheme& scheme,
                                     const Parallelism& split, Mxfp4Padding padding);

double sum(const ByTensorKind<double>& bytes);

}  // namespace etiage::serving
