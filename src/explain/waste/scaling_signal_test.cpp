#include "explain/waste/scaling_signal.h"

#include <gtest/gtest.h>

namespace etiage::explain {
namespace {

std::optional<WrongSignal> judged(std::vector<ScalingMetric> metrics) {
  return wrong_signal({.kind = "HorizontalPodAutoscaler",
                       .meta = {},
                       .target_kind = {},
                       .target = {},
                       .metrics = std::move(metrics)});
}

TEST(ScalingSignal, QueuesAndTokensAreRight) {
  EXPECT_FALSE(judged({{"prometheus", "", "sum(vllm:num_requests_waiting)", 5}}));
  EXPECT_FALSE(judged({{"External", "queue_depth", "", 5}, {"Resource", "cpu", "", 80}}));
  EXPECT_FALSE(judged({{"Pods", "vllm:kv_cache_usage_perc", "", 0.7}}));
  EXPECT_FALSE(judged({}));
}

TEST(ScalingSignal, GpuActivityIsWrongEvenBesideAQueue) {
  EXPECT_TRUE(judged({{"Pods", "gpu_utilization", "", 50}}));  // prometheus-adapter's usual name
  EXPECT_TRUE(judged({{"prometheus", "m", "avg(DCGM_FI_DEV_GPU_UTIL{deployment=\"w\"})", 5}}));
  EXPECT_TRUE(
      judged({{"Pods", "vllm:num_requests_waiting", "", 5}, {"Pods", "DCGM_FI_PROF_SM_ACTIVE", "", 0.8}}));
  EXPECT_TRUE(judged({{"External", "kubernetes.io|container|accelerator|duty_cycle", "", 80}}));
}

TEST(ScalingSignal, ARatioWithATargetAboveOneNeverFires) {
  const auto wrong = judged({{"Pods", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "", 2}});
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->reason.find("never fire"), std::string::npos);
}

TEST(ScalingSignal, CpuAloneIsWrongWhereAGpuWorks) {
  const auto wrong = judged({{"Resource", "cpu", "", 80}});
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->of_cpu);
  EXPECT_TRUE(judged({{"cpu", "cpu", "", 60}, {"memory", "memory", "", 60}}));
}

}  // namespace
}  // namespace etiage::explain
