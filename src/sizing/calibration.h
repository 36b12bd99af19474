#pragma once
// What a deployment's own measurements say against the prediction: a factor on each time, how it changes with
// the load, and how certain both are; and the memory that its start-up log printed.
//
//     log(measured / predicted) = a + b z + noise,   z = (log2 of the requests in flight - 5) / 5
//
//     before: a ~ N(0, s), b ~ N(0, s / 2), s the spread of the prediction's band; the posterior of both is
//     that of a linear regression. Where the measurements scatter more than the noise of published ones,
//     their own scatter counts.

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
  std::optional<std::int64_t> kv_cache_tokens, max_batched_tokens, max_model_len;
  std::optional<double> utilization;
  std::string model, engine, version;
  std::optional<int> tensor_parallel;
  std::string source;

  bool empty() const { return !weights_gib && !kv_cache_gib && !kv_cache_tokens; }
};

/// A start-up log beside what we would have said.
struct LearntMemory {
  double weights_gib = 0, kv_cache_gib = 0;  ///< printed, or ours where it was not
  double predicted_weights_gib = 0, predicted_kv_cache_gib = 0;
  double other_gib = 0;  ///< what the budget leaves after printed weights and pool
  serving::Parallelism split;
  std::string quantization;

  bool operator==(const LearntMemory&) const = default;
};

struct Factor {
  serving::LoadFactor log;  ///< of the ratio
  double noise = 0;         ///< of one measurement, in logarithms
  int observations = 0;
};

struct Calibration {
  std::string model, engine, card;
  Factor token, first_token;
  std::optional<LearntMemory> memory;
};

/// Refused where `base` cannot start, for then nothing can be compared. Of several logs the last one with a
/// pool counts.
Result<Calibration> calibrate(const Question& base, std::span<const Observation> observations,
                              std::span<const PrintedMemory> printed,
                              const serving::Coefficients& coefficients);

/// Coefficients whose answers for that engine and model carry the factors, with the narrower band.
serving::Coefficients calibrated(serving::Coefficients coefficients, const Calibration& calibration);

/// The printed memory put into the settings of a question about that very deployment.
void apply_memory(Question& question, const Calibration& calibration);

}  // namespace etiage::sizing
