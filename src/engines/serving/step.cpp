#include "engines/serving/step.h"

#include <algorithm>
#include <cmath>

#include "engines/serving/parameters.h"

namespace etiage::serving {
namespace {

constexpr double kMs = 1e3;
constexpr double kPrefillChunk = 8192;  ///< tokens a prefill step, the engines' usual default

/// The model's figures that every term needs, per GPU.
struct Load {
  double dense_bytes = 0;   ///< weights read whatever the batch
  double expert_bytes = 0;  ///< of all experts held
  double matrix_flops = 0;  ///< a token
  double pair_flops = 0;    ///< of attention, a token and token of context
  double window_pairs = 0;  ///< the same for windowed layers
  double expert_ratio = 0;  ///< experts a token takes, of all
};

double peak(const QuantizationScheme& s, const Device& d) {
  const double eight = d.flops8 > 0 ? d.flops8 : d.flops16;
  if (s.fp4_activations) return d.flops4 > 0 ? d.flops4 : eight;
  if (s.fp8_activations) return eight;
  if (s.int8_activations) return d.int8 > 0 ? d.int8 : d.flops16;
  return d.flops16;
}

double head_dims(const ModelSpec& m) {
  return m.latent ? m.latent->nope_dim + m.latent->rope_dim : m.attention.head_dim;
}

Load model_load(const ModelSpec& m, const QuantizationScheme& scheme, const Device& d,
                const Parallelism& split) {
  auto bytes = weights_per_gpu(m, scheme, split,
                               d.compute_capability >= 9 ? Mxfp4Padding::kTriton : Mxfp4Padding::kNone);
  const auto at = [&](TensorKind kind) -> double& { return bytes[static_cast<std::size_t>(kind)]; };
  Load load;
  if (m.moe) {
    load.expert_bytes = at(TensorKind::kExpert);
    load.expert_ratio = static_cast<double>(m.moe->per_token) / m.moe->experts;
  }
  if (!m.tied_embeddings) at(TensorKind::kEmbedding) = 0;  // a lookup, unless it is the head as well
  load.dense_bytes = sum(bytes) - load.expert_bytes - at(TensorKind::kOther);
  const double tables = static_cast<double>(m.vocabulary) * m.hidden * (m.tied_embeddings ? 1 : 2);
  load.matrix_flops =
      2 * (static_cast<double>(active_parameters(m)) - tables - static_cast<double>(m.other_parameters)) /
      split.gpus();
  load.pair_flops = 4.0 * m.attention.heads * head_dims(m) * m.full_layers / split.tensor / split.pipeline;
  load.window_pairs =
      4.0 * m.windowed.heads * m.windowed.head_dim * m.window_layers / split.tensor / split.pipeline;
  return load;
}

/// Bytes of weights that a step of `tokens` tokens touches, under uniform routing.
double touched(const Load& load, double tokens) {
  return load.dense_bytes + load.expert_bytes * (1 - std::pow(1 - load.expert_ratio, tokens));
}

/// Milliseconds to move the activations of one token through two all-reduces a layer.
double link_ms(const ModelSpec& m, const Device& d, const Parallelism& split) {
  const double rate = split.tensor <= d.link_domain || d.pcie <= 0 ? d.link : d.pcie;
  if (split.tensor <= 1 || rate <= 0) return 0;
  return 2.0 * m.layers * m.hidden * 2 * (split.tensor - 1) / split.tensor / rate * kMs;
}

double context_pairs(const Load& load, const ModelSpec& m, double context) {
  return load.pair_flops * context + load.window_pairs * std::min<double>(context, m.window);
}

/// Causal attention of a whole prompt: half of the square, windowed layers at most their window.
double prompt_pairs(const Load& load, const ModelSpec& m, double input) {
  return load.pair_flops * input * input / 2 +
         load.window_pairs * input * std::min<double>(input / 2, m.window);
}

}  // namespace

std::string_view to_string(Term term) {
  static constexpr std::array<std::string_view, kTerms> kNames{
      "weights",       "kv",        "compute",      "attention",       "collective",        "link",
      "layer",         "sequence",  "step",         "prefill_compute", "prefill_attention", "prefill_weights",
      "prefill_layer", "moe_layer", "moe_sequence", "indexer"};
  return kNames[static_cast<std::size_t>(term)];
}

std::string_view to_string(FirstTerm term) {
  static constexpr std::array<std::string_view, kFirstTerms> kNames{
      "compute", "attention", "weights",    "link",      "layer",    "host",
      "request", "queue",     "queue_host", "step_wait", "pool_wait"};
  return kNames[static_cast<std::size_t>(term)];
}

Terms token_terms(const ModelSpec& m, const QuantizationScheme& scheme, const Device& d,
                  const Parallelism& split, KvFormat kv, const Workload& w) {
  const auto load = model_load(m, scheme, d, split);
  const auto layout = kv_layout(m, kv, split, {});
  const double sequences = w.concurrency / split.data, context = w.input + w.output / 2;
  const double prefills = w.concurrency / w.output;  // of other requests between two tokens of one
  const double link = link_ms(m, d, split);
  Terms t{};
  const auto set = [&](Term term, double value) { t[static_cast<std::size_t>(term)] = value; };
  set(Term::kWeights, touched(load, w.concurrency) / d.bandwidth * kMs);
  set(Term::kKv, sequences * bytes_read(layout, context) / d.bandwidth * kMs);
  set(Term::kCompute, load.matrix_flops * w.concurrency / peak(scheme, d) * kMs);
  set(Term::kAttention, context_pairs(load, m, context) * sequences * (m.latent ? 3 : 1) / d.flops16 * kMs);
  set(Term::kCollective, split.tensor > 1 ? 2.0 * m.layers * 0.01 : 0);
  set(Term::kLink, link * (w.concurrency + prefills * w.input));
  set(Term::kLayer, m.layers * 0.01);
  set(Term::kSequence, sequences * 0.01);
  set(Term::kStep, 1);
  set(Term::kPrefillCompute, prefills * load.matrix_flops * w.input / peak(scheme, d) * kMs);
  // A prompt's attention is the work of the data-parallel rank that it lies on. The ranks of a node wait for
  // it at each mixture layer; those of a rack are so many that prompts of others run at the same time.
  const double ranks_at_once = d.link_domain > 8 ? split.data : 1;
  set(Term::kPrefillAttention, prefills / ranks_at_once * prompt_pairs(load, m, w.input) / d.flops16 * kMs);
  set(Term::kPrefillWeights, prefills * touched(load, std::min(w.input, kPrefillChunk)) / d.bandwidth * kMs);
  set(Term::kPrefillLayer, prefills * m.layers * 0.01);
  set(Term::kMoeLayer, m.moe_layers * 0.01);
  set(Term::kMoeSequence, m.moe_layers * sequences * 0.0001);
  set(Term::kIndexer, m.indexer ? m.full_layers * 0.01 : 0);
  return t;
}

FirstTerms first_token_terms(const ModelSpec& m, const QuantizationScheme& scheme, const Device& d,
                             const Parallelism& split, const Workload& w, double token_ms, double waiting) {
  const auto load = model_load(m, scheme, d, split);
  const double chunks = std::ceil(w.input / kPrefillChunk);
  const double compute = load.matrix_flops * w.input / peak(scheme, d) * kMs,
               attention = prompt_pairs(load, m, w.input) / d.flops16 * kMs;
  const double link = link_ms(m, d, split) * w.input;
  FirstTerms t{};
  const auto set = [&](FirstTerm term, double value) { t[static_cast<std::size_t>(term)] = value; };
  set(FirstTerm::kCompute, compute);
  set(FirstTerm::kAttention, attention);
  set(FirstTerm::kWeights, chunks * touched(load, std::min(w.input, kPrefillChunk)) / d.bandwidth * kMs);
  set(FirstTerm::kLink, link);
  set(FirstTerm::kLayer, chunks * (m.layers + m.moe_layers) * 0.01);
  set(FirstTerm::kHost, 10);
  set(FirstTerm::kRequest, w.input * 0.001);
  set(FirstTerm::kQueue, 0.1 * w.concurrency * (compute + attention + link));
  set(FirstTerm::kQueueHost, w.concurrency);
  set(FirstTerm::kStepWait, token_ms);
  set(FirstTerm::kPoolWait, waiting / w.concurrency * w.output * token_ms);
  return t;
}

}  // namespace etiage::serving
