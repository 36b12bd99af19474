#include "sizing/calibration.h"

#include <algorithm>
#include <cmath>

namespace etiage::sizing {
namespace {

constexpr double kEighty = 1.2816;

/// Log ratios at their loads.
struct Ratios {
  std::vector<std::pair<double, double>> at;  ///< z, log(measured / predicted)
  double prior_spread = 1e-3;

  void add(const serving::Workload& work, const serving::Estimate& predicted,
           std::optional<double> measured) {
    if (!measured || !(*measured > 0) || !(predicted.value > 0)) return;
    at.emplace_back(serving::load_of(work), std::log(*measured / predicted.value));
    prior_spread = std::max(prior_spread, std::log(predicted.high / predicted.low) / 2 / kEighty);
  }
};

/// The posterior of intercept and slope, of which the precision matrix is [[p, q], [q, r]].
serving::LoadFactor regression(const Ratios& ratios, double noise) {
  const double weight = 1 / (noise * noise), prior = 1 / (ratios.prior_spread * ratios.prior_spread);
  double p = prior, q = 0, r = 4 * prior, s = 0, t = 0;
  for (const auto& [z, ratio] : ratios.at) {
    p += weight;
    q += weight * z;
    r += weight * z * z;
    s += weight * ratio;
    t += weight * z * ratio;
  }
  const double determinant = p * r - q * q;
  return {.mean = (r * s - q * t) / determinant,
          .slope = (p * t - q * s) / determinant,
          .mean_variance = r / determinant,
          .slope_variance = p / determinant,
          .covariance = -q / determinant};
}

double scatter(const Ratios& ratios, const serving::LoadFactor& f) {
  double sum = 0;
  for (const auto& [z, ratio] : ratios.at) sum += std::pow(ratio - f.mean - f.slope * z, 2);
  return std::sqrt(sum / std::max<double>(1, static_cast<double>(ratios.at.size()) - 2));
}

Factor factor_of(const Ratios& ratios, double noise) {
  if (ratios.at.empty()) return {};
  auto f = regression(ratios, noise);
  if (const double own = scatter(ratios, f); ratios.at.size() > 4 && own > noise)
    noise = own, f = regression(ratios, noise);
  return {f, noise, static_cast<int>(ratios.at.size())};
}

std::optional<LearntMemory> memory_of(const Question& base, std::span<const PrintedMemory> printed) {
  for (auto p = printed.rbegin(); p != printed.rend(); ++p) {
    if (!p->kv_cache_gib) continue;
    auto q = base;
    q.work.reset();
    if (p->utilization) q.settings.utilization = p->utilization;
    if (p->max_batched_tokens) q.settings.max_batched_tokens = p->max_batched_tokens;
    if (p->max_model_len) q.settings.max_model_len = p->max_model_len;
    const auto a = answer(q, serving::builtin_coefficients());
    if (!a) return std::nullopt;
    LearntMemory m{.weights_gib = p->weights_gib.value_or(a->memory.weights_gib),
                   .kv_cache_gib = *p->kv_cache_gib,
                   .predicted_weights_gib = a->memory.weights_gib,
                   .predicted_kv_cache_gib = a->memory.kv_cache_gib,
                   .split = a->split,
                   .quantization = a->quantization};
    m.other_gib = a->memory.budget_gib - m.weights_gib - m.kv_cache_gib;
    return m;
  }
  return std::nullopt;
}

}  // namespace

Result<Calibration> calibrate(const Question& base, std::span<const Observation> observations,
                              std::span<const PrintedMemory> printed,
                              const serving::Coefficients& coefficients) {
  Ratios token, first;
  for (const auto& o : observations) {
    auto q = base;
    q.work = o.work;
    const auto a = answer(q, coefficients);
    if (!a)
      return std::unexpected(Error{o.source + ": " + a.error().message, a.error().place, a.error().hint});
    if (!a->performance)
      return failure(o.source + ": by our reckoning this deployment cannot start: " + a->memory.reason, {},
                     "check --card, --tp and --quantization");
    token.add(o.work, a->performance->token_ms, o.token_ms);
    first.add(o.work, a->performance->first_token_ms, o.first_token_ms);
  }
  return Calibration{.model = base.model.shapes,
                     .engine = std::string(serving::to_string(base.settings.engine.engine)),
                     .card = base.device.card,
                     .token = factor_of(token, coefficients.token.noise),
                     .first_token = factor_of(first, coefficients.first_token.noise),
                     .memory = memory_of(base, printed)};
}

serving::Coefficients calibrated(serving::Coefficients c, const Calibration& k) {
  const auto put = [&](serving::FittedQuantity& q, const Factor& f) {
    if (f.observations > 0) q.own.push_back({k.model, k.engine, k.card, f.log, f.noise});
  };
  put(c.token, k.token);
  put(c.first_token, k.first_token);
  return c;
}

void apply_memory(Question& q, const Calibration& k) {
  const auto scheme = serving::quantization_scheme(q.quantization, q.model);
  if (!k.memory || !scheme || q.model.shapes != k.model || q.device.card != k.card ||
      serving::to_string(q.settings.engine.engine) != k.engine || q.split != k.memory->split ||
      scheme->name != k.memory->quantization)
    return;
  q.settings.own_weights_gib = k.memory->weights_gib;
  q.settings.own_other_gib = k.memory->other_gib;
}

}  // namespace etiage::sizing
