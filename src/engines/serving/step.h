#pragma once
// The time of one engine iteration as a sum of physical terms, each what a perfect machine would need; how
// far a real one is from perfect is a coefficient a term (coefficients.h). In milliseconds.
//
//     time per output token = decode step of all running sequences
//                           + the part of other requests' prefills that falls between two tokens of one
//                           request

#include <array>
#include <string_view>

#include "engines/serving/memory.h"

namespace etiage::serving {

/// What one replica is asked to do: so many requests in flight, each of so many tokens.
struct Workload {
  double input = 0, output = 0;  ///< tokens a request
  double concurrency = 1;        ///< requests in flight in the whole replica

  bool operator==(const Workload&) const = default;
};

enum class Term : std::uint8_t {
  kWeights,         ///< reading the weights that a decode step touches (experts: as many as the batch hits)
  kKv,              ///< reading the KV cache
  kCompute,         ///< matrix products of a decode step
  kAttention,       ///< attention products of a decode step
  kCollective,      ///< starting two all-reduces a layer: 10 us each
  kLink,            ///< moving activations between GPUs, decode and interleaved prefill
  kLayer,           ///< launching a layer: 10 us each
  kSequence,        ///< bookkeeping a sequence: 10 us each
  kStep,            ///< bookkeeping a step: 1 ms
  kPrefillCompute,  ///< interleaved prefill: matrix products
  kPrefillAttention,
  kPrefillWeights,
  kPrefillLayer,  ///< launching its layers: 10 us each
  kMoeLayer,      ///< routing: 10 us a mixture layer
  kMoeSequence,   ///< permuting tokens: 0.1 us a mixture layer and sequence
  kIndexer,       ///< choosing tokens in sparse attention: 10 us a layer
};
inline constexpr std::size_t kTerms = 16;

using Terms = std::array<double, kTerms>;

std::string_view to_string(Term term);

/// One step of `split` on `device`: what a GPU does between two tokens of a request.
Terms token_terms(const ModelSpec& model, const QuantizationScheme& scheme, const Device& device,
                  const Parallelism& split, KvFormat kv, const Workload& work);

/// Time to the first token: the prefill alone (in the prefill terms), the wait for a running step (decode
/// terms), and what the requests in front in the same burst take (`kQueue`).
enum class FirstTerm : std::uint8_t {
  kCompute,
  kAttention,
  kWeights,
  kLink,
  kLayer,
  kHost,
  kRequest,
  kQueue,
  kQueueHost,
  kStepWait,
  kPoolWait
};
inline constexpr std::size_t kFirstTerms = 11;

using FirstTerms = std::array<double, kFirstTerms>;

std::string_view to_string(FirstTerm term);

/// `token_ms`: the time per output token of the same workload. `waiting`: requests beyond `work.concurrency`
/// for which the cache has no room; each waits until one of those before it ends.
FirstTerms first_token_terms(const ModelSpec& model, const QuantizationScheme& scheme, const Device& device,
                             const Parallelism& split, const Workload& work, double token_ms, double waiting);

}  // namespace etiage::serving
