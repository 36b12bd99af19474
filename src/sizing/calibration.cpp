#include "sizing/calibration.h"

#include <cmath>

namespace etiage::sizing {
namespace {

constexpr double kEighty = 1.2816;

/// Precision-weighted mean of nothing-known and what was seen.
class Posterior {
 public:
  void add(double log_ratio, double prior_spread) {
    sum_ += log_ratio;
    ++count_;
    prior_ = std::max(prior_, prior_spread);
  }
  Factor factor(double noise) const {
    if (count_ == 0) return {};
    const double precision = 1 / (prior_ * prior_) + count_ / (noise * noise);
    return {sum_ / (noise * noise) / precision, std::sqrt(1 / precision), count_};
  }

 private:
  double sum_ = 0, prior_ = 1e-3;
  int count_ = 0;
};

void compare(Posterior& posterior, const serving::Estimate& predicted, std::optional<double> measured) {
  if (measured && *measured > 0 && predicted.value > 0)
    posterior.add(std::log(*measured / predicted.value),
                  std::log(predicted.high / predicted.low) / 2 / kEighty);
}

}  // namespace

Result<Calibration> calibrate(const Question& base, std::span<const Observation> observations,
                              const serving::Coefficients& coefficients) {
  Posterior token, first;
  Calibration out;
  for (const auto& o : observations) {
    auto q = base;
    q.work = o.work;
    const auto a = answer(q, coefficients);
    if (!a)
      return std::unexpected(Error{o.source + ": " + a.error().message, a.error().place, a.error().hint});
    if (!a->performance)
      return failure(o.source + ": by our reckoning this deployment cannot start: " + a->memory.reason, {},
                     "check --card, --tp and --quantization");
    compare(token, a->performance->token_ms, o.token_ms);
    compare(first, a->performance->first_token_ms, o.first_token_ms);
  }
  out.model = base.model.shapes;
  out.engine = serving::to_string(base.settings.engine.engine);
  out.card = base.device.card;
  out.token = token.factor(coefficients.token.noise);
  out.first_token = first.factor(coefficients.first_token.noise);
  return out;
}

serving::Coefficients calibrated(serving::Coefficients c, const Calibration& k) {
  const auto put = [&](serving::FittedQuantity& q, const Factor& f) {
    if (f.observations > 0) q.own.push_back({k.model, k.engine, k.card, f.log_mean, f.log_spread});
  };
  put(c.token, k.token);
  put(c.first_token, k.first_token);
  return c;
}

}  // namespace etiage::sizing
