#pragma once
// What a deployment's own measurements say against the prediction: one factor on each time, with its
// certainty.
//
//     log factor ~ N(0, prior spread) before; each observation adds log(measured / predicted) with the noise
//     of one measurement; the posterior mean and spread are the precision-weighted ones.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sizing/question.h"

namespace etiage::sizing {

/// One measurement of a running server.
struct Observation {
  serving::Workload work;
  std::optional<double> first_token_ms, token_ms;
  std::string source;  ///< file and what in it
};

/// Memory as the engine printed it at start; GiB a GPU.
struct PrintedMemory {
  std::optional<double> weights_gib, kv_cache_gib, cuda_graph_gib;
  std::optional<std::int64_t> kv_cache_tokens, max_batched_tokens;
  std::string model, version, source;

  bool empty() const { return !weights_gib && !kv_cache_gib && !kv_cache_tokens; }
};

struct Factor {
  double log_mean = 0, log_spread = 0;
  int observations = 0;
};

struct Calibration {
  std::string model, engine, card;
  Factor token, first_token;
};

/// Refused where `base` cannot start, for then nothing can be compared.
Result<Calibration> calibrate(const Question& base, std::span<const Observation> observations,
                              const serving::Coefficients& coefficients);

/// Coefficients whose answers for that engine and model carry the factors, with the narrower band.
serving::Coefficients calibrated(serving::Coefficients coefficients, const Calibration& calibration);

}  // namespace etiage::sizing
