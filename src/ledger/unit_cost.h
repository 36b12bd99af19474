#pragma once
// What a million tokens cost, by model and namespace (RULES.md 20 to 22).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ledger/ledger.h"

namespace etiage::ledger {

/// How a pod's money is divided between the models it serves: one model takes all; several (adapters, several
/// engines) by their tokens, input to output 1 : 4. Weights sum to 1; empty for a pod that serves none.
using ModelWeights = std::vector<std::pair<ModelId, long double>>;
std::vector<ModelWeights> model_weights(const Evidence& evidence);
/// The i-th model's part of an amount; the parts sum to it.
Money part_of(Money amount, const ModelWeights& weights, std::size_t i);

/// Who bears what nobody held of the cards of the same type (RULES.md 20).
enum class IdleTo : std::uint8_t { kSeparate, kProportional, kEven };

/// By pod, the unallocated, stranded and cpuMemoryIdle money of its card type that it bears besides its own;
/// sums to these buckets where any pod held such a card.
std::vector<Money> borne_idle(const Evidence& evidence, const Ledger& ledger, IdleTo how);

struct TokenCounts {
  Tokens input, cached_input, output;

  double all() const { return input.count + cached_input.count + output.count; }
  TokenCounts& operator+=(const TokenCounts& o);
};

/// Money per million tokens; nothing where there were none, or where nothing was charged.
struct PerMillion {
  std::optional<double> full, usage, saturated, generated, input, cached_input, output;
};

/// What rows of money and tokens are made of.
struct UnitCost {
  Money cost;  ///< of all pods
  Money busy;  ///< of pods that serve
  TokenCounts tokens;
  double images = 0;
  double prefill_seconds = 0, decode_seconds = 0;
  bool charged = false;  ///< a pod that serves was on a node for some time, whatever that cost
  Money with_tokens;     ///< cost of pods that have token evidence
  Money serving;         ///< cost of all pods that serve: what a token's price is made of
  double replica_hours = 0, gpu_hours = 0;
  std::vector<double> saturated;  ///< tokens per second
  Grade grade = Grade::kMeasured;

  /// The part of the money that prompts bear: by phase seconds, else by tokens 1 : 4; cached input weighs
  /// `cached_weight` of an input token.
  double prefill_part(double cached_weight = 0) const;
  PerMillion per_million(double cached_weight = 0) const;
  std::optional<double> idle_tax() const;
  std::optional<double> coverage() const;
  /// Whether input and output were told apart by phase seconds, not by tokens.
  bool split_by_phase() const { return prefill_seconds + decode_seconds > 0; }
};

struct ModelRow {
  std::string cluster, ns;
  ModelId model;
  UnitCost unit;
  bool placed = false;  ///< any pod of it was on a node; else there are tokens and no money
};

/// By cluster, model's name and namespace.
std::vector<ModelRow> model_rows(const Evidence& evidence, const Ledger& ledger,
                                 const std::vector<Money>& borne = {}, const PodFilter& wanted = {});

}  // namespace etiage::ledger
