#include "sizing/calibration.h"

#include <cmath>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "catalog/cards.h"
#include "catalog/models.h"

namespace etiage::sizing {
namespace {

const serving::Coefficients& published() {
  return serving::builtin_coefficients();
}

Question base() {
  Question q{.model = catalog::find_model("Qwen/Qwen3-8B", catalog::models()).value(),
             .device = device_of(catalog::find_card("l40s", catalog::cards()).value())};
  q.settings.engine = serving::parse_engine("vllm@0.15").value();
  return q;
}

serving::Estimate token_of(const serving::Coefficients& c, double concurrency) {
  auto q = base();
  q.work = serving::Workload{1000, 250, concurrency};
  return answer(q, c).value().performance->token_ms;
}

/// What a server would show whose times are the prediction times `factor(concurrency)`.
template <class F>
std::vector<Observation> seen(F&& factor, const std::vector<double>& loads) {
  std::vector<Observation> out;
  for (const double c : loads)
    out.push_back({.work = {1000, 250, c},
                   .first_token_ms = {},
                   .token_ms = token_of(published(), c).value * factor(c),
                   .source = "test"});
  return out;
}

TEST(Calibration, FindsAFactorAndNarrowsTheBand) {
  const auto k = calibrate(base(), seen([](double) { return 1.4; }, {1, 8, 32, 64}), {}, published());
  ASSERT_TRUE(k);
  EXPECT_NEAR(std::exp(k->token.log.mean), 1.4, 0.04);  // the prior holds back a little
  EXPECT_NEAR(k->token.log.slope, 0, 0.02);
  EXPECT_EQ(k->token.observations, 4);
  EXPECT_EQ(k->first_token.observations, 0);
  const auto own = calibrated(published(), *k);
  const auto before = token_of(published(), 16), after = token_of(own, 16);
  EXPECT_NEAR(after.value / before.value, 1.4, 0.03);
  EXPECT_LT(after.high / after.low, before.high / before.low);
  EXPECT_TRUE(after.calibrated);
}

TEST(Calibration, FindsHowTheFactorChangesWithTheLoad) {
  const auto k =
      calibrate(base(), seen([](double c) { return std::pow(2.0, std::log2(c) / 10); }, {1, 4, 16, 64, 128}),
                {}, published());
  EXPECT_NEAR(token_of(calibrated(published(), *k), 64).value / token_of(published(), 64).value,
              std::pow(2.0, 0.6), 0.12);
}

TEST(Calibration, OneMeasurementMovesLessThanAllTheWay) {
  const auto k = calibrate(base(), seen([](double) { return 3.0; }, {32}), {}, published());
  EXPECT_GT(k->token.log.mean, 0.3);
  EXPECT_LT(k->token.log.mean, std::log(3.0));
}

TEST(Calibration, OfAnotherCardChangesNothing) {
  auto k = calibrate(base(), seen([](double) { return 2.0; }, {8, 16}), {}, published()).value();
  k.card = "h100-sxm-80gb";
  EXPECT_EQ(token_of(calibrated(published(), k), 8), token_of(published(), 8));
}

TEST(Calibration, LearnsMemoryFromAStartUpLog) {
  const PrintedMemory log{
      .weights_gib = 15.5, .kv_cache_gib = 20.0, .max_batched_tokens = {}, .max_model_len = 8192};
  const auto k = calibrate(base(), {}, {{log}}, published());
  ASSERT_TRUE(k->memory);
  EXPECT_NEAR(k->memory->predicted_kv_cache_gib, 23, 2);
  auto q = base();
  q.settings.max_model_len = 8192;
  apply_memory(q, *k);
  EXPECT_NEAR(answer(q, published())->memory.kv_cache_gib, 20.0, 1e-9);
  q.split.tensor = 2;
  q.settings.own_other_gib.reset();
  q.settings.own_weights_gib.reset();
  apply_memory(q, *k);
  EXPECT_FALSE(q.settings.own_other_gib);  // another split is another deployment
}

RC_GTEST_PROP(Calibration, MoreMeasurementsAreNeverLessCertain, ()) {
  const auto loads = *rc::gen::container<std::vector<double>>(rc::gen::element(1.0, 4.0, 16.0, 64.0));
  RC_PRE(!loads.empty());
  auto fewer = loads;
  fewer.pop_back();
  const auto same = [](double) { return 1.2; };
  const auto few = calibrate(base(), seen(same, fewer), {}, published()).value(),
             many = calibrate(base(), seen(same, loads), {}, published()).value();
  if (few.token.observations == 0) return;
  for (const double z : {-1.0, 0.0, 0.5})
    RC_ASSERT(many.token.log.variance(z) <= few.token.log.variance(z) * (1 + 1e-9) &&
              many.token.log.variance(z) > 0);
}

}  // namespace
}  // namespace etiage::sizing
