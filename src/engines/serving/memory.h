#pragma once
// The memory of one GPU of a replica, as the engine would print it at start, and whether it starts at all.

#include <optional>
#include <string>

#include "engines/serving/engine_profile.h"
#include "engines/serving/kv_cache.h"
#include "engines/serving/quantization.h"
#include "engines/serving/sharding.h"

namespace etiage::serving {

/// A GPU, or one MIG slice of it, as an engine sees it. Bandwidths in bytes a second, rates in floating-point
/// operations a second.
struct Device {
  std::string card;       ///< key of the coefficients and of messages: `h100-sxm-80gb`
  double memory_gib = 0;  ///< visible to the driver
  double bandwidth = 0;
  double flops16 = 0, flops8 = 0, flops4 = 0, int8 = 0;  ///< dense; 0: the card cannot
  double link = 0;      ///< to its peers, one direction; without NVLink the PCIe rate
  double pcie = 0;      ///< the rate beyond that domain
  int link_domain = 8;  ///< GPUs reached at that rate
  double compute_capability = 0;
  std::string profile;  ///< of MIG: a slice, which has no peers; empty: the whole card

  bool slice() const { return !profile.empty(); }
  /// `h100-sxm-80gb 1g.10gb`
  std::string name() const { return slice() ? card + " " + profile : card; }
  bool operator==(const Device&) const = default;
};

/// What the user may set; absent means the engine's default.
struct EngineSettings {
  EngineRef engine;
  std::optional<std::int64_t> max_model_len, max_num_seqs, max_batched_tokens;
  std::optional<double> utilization;
  std::optional<KvFormat> kv;             ///< absent: `auto`
  bool cuda_graphs = true;                ///< false: eager
  std::optional<double> own_weights_gib;  ///< as a start-up log of this very deployment printed them
  std::optional<double> own_other_gib;    ///< all but weights and cache, from the same log

  bool operator==(const EngineSettings&) const = default;
};

struct MemoryBudget {
  double total_gib = 0, budget_gib = 0, weights_gib = 0, non_torch_gib = 0, activation_gib = 0,
         cuda_graph_gib = 0;
  double kv_cache_gib = 0;           ///< negative: what is missing
  double kv_bytes_per_token = 0;     ///< on this GPU, of layers that grow with the context
  std::int64_t kv_cache_tokens = 0;  ///< as the engine reports it: concurrency x max_model_len
  double max_concurrency = 0;        ///< sequences of max_model_len at once, in the whole replica
  std::int64_t max_model_len = 0, max_batched_tokens = 0, max_num_seqs = 0;
  double utilization = 0;
  bool fits = false;
  std::string reason;  ///< why it does not fit; empty where it does
  std::string note;    ///< what must be set for it to fit; empty where the defaults do
  KvLayout layout;
  KvFormat kv = KvFormat::kFloat16;
};

/// `wanted_len`: what the traffic needs (input + output) where `settings` name no length; 0: the model's own
/// maximum.
MemoryBudget memory_budget(const ModelSpec& model, const QuantizationScheme& scheme, const Device& device,
                           const Parallelism& split, const EngineSettings& settings, std::int64_t wanted_len);

/// Peak of a profiling run on one GPU, in bytes: three hidden states and the widest layer's inner numbers a
/// token (three feed-forward widths, or what a recurrent layer keeps), or the sampler's scratch, whichever is
/// more. Checked on start-up logs of vLLM 0.6 to 0.24 (docs/sizing.md).
double activation_bytes(const ModelSpec& model, const Parallelism& split, const EngineProfile& profile);

}  // namespace etiage::serving
