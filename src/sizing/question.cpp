#include "sizing/question.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "catalog/cards.h"
#include "catalog/mig_geometry.h"

namespace etiage::sizing {
namespace {

using serving::Estimate;

constexpr double kGiga = 1e9, kTera = 1e12;
constexpr std::int64_t kMostGpus = 4096;

Result<void> check(const Question& q) {
  if (q.split.tensor < 1 || q.split.pipeline < 1 || q.split.data < 1 || q.split.expert < 1)
    return failure("a parallel width must be at least 1");
  const auto gpus = std::int64_t{q.split.tensor} * q.split.pipeline;  // each below a billion
  if (gpus > kMostGpus || gpus * q.split.data > kMostGpus || q.split.expert > kMostGpus)
    return failure(fmt::format("more than {} GPUs a replica are beyond what is sized here", kMostGpus));
  if (q.device.slice() && q.split.gpus() > 1)
    return failure("a MIG slice has no peers: tensor, pipeline and data parallel must be 1");
  const auto& s = q.settings;
  if (s.max_model_len && *s.max_model_len < 1)
    return failure(fmt::format("max-model-len must be positive, not {}", *s.max_model_len));
  if (s.max_num_seqs && *s.max_num_seqs < 1)
    return failure(fmt::format("max-num-seqs must be positive, not {}", *s.max_num_seqs));
  if (s.max_batched_tokens && *s.max_batched_tokens < 1)
    return failure(fmt::format("max-num-batched-tokens must be positive, not {}", *s.max_batched_tokens));
  if (s.utilization && !(*s.utilization > 0 && *s.utilization <= 1))
    return failure(
        fmt::format("gpu-memory-utilization must lie above 0 and up to 1, not {}", *s.utilization));
  if (!q.work) return {};
  for (const auto& [name, value] :
       {std::pair{"input", q.work->input}, {"output", q.work->output}, {"concurrency", q.work->concurrency}})
    if (!(value > 0) || value > 1e9)
      return failure(fmt::format("{} must be positive and below a billion, not {}", name, value));
  return {};
}

/// What one request of the traffic needs; 0: there is none.
std::int64_t wanted_len(const Question& q) {
  return q.work ? static_cast<std::int64_t>(std::ceil(q.work->input + q.work->output)) : 0;
}

/// Why it does not start, apart from memory.
std::string cannot_start(const Question& q, const serving::Parallelism& split) {
  const auto& m = q.model;
  const int heads = m.full_layers > 0 ? m.attention.heads : m.windowed.heads;
  if (split.tensor > 1 && heads % split.tensor != 0)
    return fmt::format("{} attention heads cannot be split over {} GPUs", heads, split.tensor);
  if (split.pipeline > m.layers)
    return fmt::format("{} pipeline stages for {} layers", split.pipeline, m.layers);
  const auto wanted = wanted_len(q), length = q.settings.max_model_len.value_or(wanted);
  if (m.max_position > 0 && length > m.max_position)
    return fmt::format("{} {} is beyond the model's {} positions",
                       q.settings.max_model_len ? "max-model-len" : "a request of input + output =", length,
                       m.max_position);
  if (wanted > length)
    return fmt::format("a request of input + output = {} does not fit into max-model-len {}", wanted, length);
  return "";
}

/// The budget with the engine's own number of sequences. Where the scratch of so many leaves no room, a load
/// is served with that power of two below that lets most requests run at once; without a load that is only
/// said.
serving::MemoryBudget budget_of(const Question& q, const serving::QuantizationScheme& scheme,
                                const serving::Parallelism& split) {
  const auto wanted = wanted_len(q);
  auto settings = q.settings;
  auto own = serving::memory_budget(q.model, scheme, q.device, split, settings, wanted);
  if (own.fits || settings.max_num_seqs || own.weights_gib > own.budget_gib) return own;
  const auto at_once = [&](const serving::MemoryBudget& b) {
    return std::min(b.max_concurrency, static_cast<double>(b.max_num_seqs) * split.data);
  };
  std::optional<serving::MemoryBudget> best;
  for (std::int64_t seqs = 512; seqs >= 8; seqs /= 2) {
    if (seqs >= own.max_num_seqs) continue;
    settings.max_num_seqs = seqs;
    auto fewer = serving::memory_budget(q.model, scheme, q.device, split, settings, wanted);
    if (fewer.fits && (!best || at_once(fewer) > at_once(*best))) best = std::move(fewer);
  }
  if (!best) return own;
  if (!q.work) return own.reason += fmt::format("; starts with --max-num-seqs {}", best->max_num_seqs), own;
  best->note = fmt::format("starts with --max-num-seqs {}, not with the default of {}", best->max_num_seqs,
                           own.max_num_seqs);
  return *best;
}

Estimate rate(const serving::Workload& w, double concurrency, const Estimate& first, const Estimate& token) {
  const auto tokens_per_second = [&](double first_ms, double token_ms) {
    return concurrency * w.output / (first_ms + token_ms * std::max(0.0, w.output - 1)) * 1e3;
  };
  return {tokens_per_second(first.value, token.value), tokens_per_second(first.high, token.high),
          tokens_per_second(first.low, token.low), first.calibrated && token.calibrated};
}

}  // namespace

serving::Device device_of(const Card& c) {
  return {.card = c.key,
          .memory_gib = c.visible_gib,
          .bandwidth = c.bandwidth_gbs * kGiga,
          .flops16 = c.flops16_tera * kTera,
          .flops8 = c.flops8_tera * kTera,
          .flops4 = c.flops4_tera * kTera,
          .int8 = c.int8_tera * kTera,
          .link = (c.link_gbs > 0 ? c.link_gbs : c.pcie_gbs) * kGiga,
          .pcie = c.pcie_gbs * kGiga,
          .link_domain = c.link_domain,
          .compute_capability = c.compute_capability};
}

Result<serving::Device> device_of(const Card& card, const std::string& profile,
                                  std::span<const catalog::MigSlice> slices) {
  const auto geometry = catalog::mig_geometry(card.key);
  const auto* const found = geometry ? geometry->find(profile) : nullptr;
  const auto slice = catalog::mig_slice(card.key, profile, slices);
  if (found == nullptr || !slice)
    return failure(fmt::format("{} has no MIG profile {}", card.name, profile), {},
                   "see `etiage catalog mig`");
  auto device = device_of(card);
  const double memory = static_cast<double>(found->memory) / geometry->memory_slices,
               compute = card.sms > 0 ? static_cast<double>(slice->sms) / card.sms : memory;
  device.memory_gib = slice->memory_gib;
  device.bandwidth *= memory;
  for (double* rate : {&device.flops16, &device.flops8, &device.flops4, &device.int8}) *rate *= compute;
  device.link = 0;
  device.link_domain = 1;
  device.profile = profile;
  return device;
}

serving::Parallelism understood(serving::Parallelism split, const ModelSpec& model,
                                const serving::Device& device) {
  const int world = split.tensor * split.data;
  if (split.expert > 1 && world > std::max(8, device.link_domain) && world == split.expert * split.expert) {
    const int ranks = split.expert;
    if (split.data == 1)
      split.tensor = ranks;
    else
      split.tensor = std::min(split.tensor, ranks), split.data = ranks / split.tensor;
  }
  if (model.latent && split.tensor > 8) split.data *= split.tensor, split.tensor = 1;
  return split;
}

KvFormat timed_kv(const Question& q, const serving::QuantizationScheme& scheme) {
  if (q.settings.kv) return *q.settings.kv;
  return scheme.fp8_activations || scheme.fp4_activations || scheme.name == "int4_wo" ? KvFormat::kFp8
                                                                                      : KvFormat::kFloat16;
}

serving::Workload served(const Question& q, const serving::QuantizationScheme& scheme,
                         const serving::Parallelism& split, const serving::MemoryBudget& m) {
  const auto layout = serving::kv_layout(q.model, timed_kv(q, scheme), split, {});
  const auto tokens = static_cast<std::int64_t>(
      q.work->input + q.work->output / 2);  // on average half of the output is there
  const double pool = serving::max_concurrency(layout, m.kv_cache_gib * (1 << 30), tokens);
  auto work = *q.work;
  work.concurrency = std::max(
      1.0, std::min(work.concurrency, std::min(pool, static_cast<double>(m.max_num_seqs)) * split.data));
  return work;
}

Performance performance_of(const Question& q, const serving::QuantizationScheme& scheme,
                           const serving::Parallelism& split, const serving::MemoryBudget& memory,
                           const serving::Coefficients& coefficients) {
  const auto& asked = *q.work;
  const auto work = served(q, scheme, split, memory);
  const auto keys = serving::run_keys(q.model, scheme, q.device, split, q.settings.engine);
  Performance p;
  const auto token = serving::token_terms(q.model, scheme, q.device, split, timed_kv(q, scheme), work);
  p.token_ms = coefficients.token.estimate(token, keys, work);
  const double waiting = asked.concurrency - work.concurrency;
  const auto first =
      serving::first_token_terms(q.model, scheme, q.device, split, work, p.token_ms.value, waiting);
  p.first_token_ms = coefficients.first_token.estimate(first, keys, work);
  p.output_tokens_per_second = rate(asked, asked.concurrency, p.first_token_ms, p.token_ms);
  auto alone = asked;
  alone.concurrency = 1;
  const auto unloaded = coefficients.first_token.estimate(
      serving::first_token_terms(q.model, scheme, q.device, split, alone, p.token_ms.value, 0), keys, alone);
  p.first_token_p95_ms =
      p.first_token_ms.value * 1.15 + 1.5 * std::max(0.0, p.first_token_ms.value - unloaded.value);
  p.token_p95_ms = p.token_ms.value * 1.15;
  return p;
}

Result<Answer> answer(const Question& q, const serving::Coefficients& coefficients) {
  if (auto ok = check(q); !ok) return std::unexpected(ok.error());
  auto scheme = serving::quantization_scheme(q.quantization, q.model);
  if (!scheme) return std::unexpected(scheme.error());
  const auto split = understood(q.split, q.model, q.device);
  Answer a{.memory = budget_of(q, *scheme, split), .quantization = scheme->name, .split = split};
  if (auto why = cannot_start(q, split); !why.empty())
    a.memory.fits = false, a.memory.reason = std::move(why);
  if (a.memory.fits && q.work) a.performance = performance_of(q, *scheme, split, a.memory, coefficients);
  return a;
}

}  // namespace etiage::sizing
