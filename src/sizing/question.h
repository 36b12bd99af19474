#pragma once
// Sizing: which cards a model fits on, how fast it is there, how many replicas a load needs, what a token
// costs, and why the other options are out. This header: one question about one configuration, and its
// answer.

#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "catalog/mig_slices.h"
#include "engines/serving/coefficients.h"
#include "engines/serving/memory.h"
#include "model/card.h"
#include "model/model_spec.h"

namespace etiage::sizing {

/// The card as an engine sees it.
serving::Device device_of(const Card& card);

/// One MIG instance of it: its own memory, bandwidth by memory slices, compute by multiprocessors, and no
/// peers. Refused where the card has no such profile.
Result<serving::Device> device_of(const Card& card, const std::string& profile,
                                  std::span<const catalog::MigSlice> slices = catalog::mig_slices());

struct Question {
  ModelSpec model;
  serving::Device device;
  std::string quantization;  ///< empty: the checkpoint's own
  serving::Parallelism split;
  serving::EngineSettings settings;
  std::optional<serving::Workload> work;  ///< absent: only memory is asked

  bool operator==(const Question&) const = default;
};

struct Performance {
  serving::Estimate first_token_ms, token_ms;
  double first_token_p95_ms = 0, token_p95_ms = 0;
  serving::Estimate
      output_tokens_per_second;  ///< of the replica; zero where the closed loop cannot be closed

  bool operator==(const Performance&) const = default;
};

struct Answer {
  serving::MemoryBudget memory;
  std::string quantization;                ///< canonical
  serving::Parallelism split;              ///< as understood, see `understood`
  std::optional<Performance> performance;  ///< only of what starts
};

/// How a split as people and published tables write it is meant. Latent attention on more ranks than a node
/// has runs data-parallel. Where tensor x data is the square of the expert width and no node holds so many
/// GPUs, the table gives attention and expert ranks multiplied (AIConfigurator's notation) and the square
/// root is meant.
serving::Parallelism understood(serving::Parallelism split, const ModelSpec& model,
                                const serving::Device& device);

/// Refused where the question makes no sense (a length that is not positive, an unknown quantization, a slice
/// with peers); a configuration that does not start is an answer with `memory.fits` false and no performance.
Result<Answer> answer(const Question& question, const serving::Coefficients& coefficients);

/// The cache format that times are reckoned with where none is given: published 8- and 4-bit configurations
/// serve with FP8.
KvFormat timed_kv(const Question& question, const serving::QuantizationScheme& scheme);

/// The work of those requests that the cache and the engine's limit let run at once; the rest of a closed
/// loop waits.
serving::Workload served(const Question& question, const serving::QuantizationScheme& scheme,
                         const serving::Parallelism& split, const serving::MemoryBudget& memory);

/// The times alone, of a configuration whose memory was judged already.
Performance performance_of(const Question& question, const serving::QuantizationScheme& scheme,
                           const serving::Parallelism& split, const serving::MemoryBudget& memory,
                           const serving::Coefficients& coefficients);

}  // namespace etiage::sizing
