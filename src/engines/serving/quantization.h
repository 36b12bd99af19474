#pragma once
// Which weights of a model a quantization touches: `fp8` on a dense model is not `nvfp4` on DeepSeek.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model_spec.h"
#include "model/weight_format.h"

namespace etiage::serving {

struct QuantizationScheme {
  std::string name;  ///< canonical: `fp8`, `nvfp4`, `bf16`
  ByTensorKind<WeightFormat> formats{};
  double edge_feed_forward = 0;  ///< part of the dense feed-forward weights that stays at 16 bit: the first
                                 ///< and last layer of fbgemm checkpoints
  bool fp8_activations = false;  ///< matrix products run at the FP8 rate (or FP4 with `fp4_activations`)
  bool fp4_activations = false;
  bool int8_activations = false;
  KvFormat kv = KvFormat::kFloat16;  ///< what the checkpoint asks for where the user says `auto`

  bool operator==(const QuantizationScheme&) const = default;
};

/// Bits a weight of that kind takes.
double bits(const QuantizationScheme& scheme, TensorKind kind);

/// Canonical names, for completion and for the message of a refusal.
std::vector<std::string> quantization_names();

/// `name` is any usual spelling; empty or `auto` means the checkpoint's own. Refused where unknown.
/// 4-bit schemes leave latent and recurrent attention, and on mixtures everything but the experts, at 16 bit,
/// as the published checkpoints do (DeepSeek-R1-NVFP4, Kimi-K2.5, Qwen3.5, gpt-oss).
Result<QuantizationScheme> quantization_scheme(std::string_view name, const ModelSpec& model);

}  // namespace etiage::serving
