#include "explain/waste/scaling_signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etiage::explain {
namespace {

using testing::Contains;
using testing::HasSubstr;

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

TEST(ScalingSignal, TheTargetIsThatOfTheWrongMetric) {
  const auto wrong =
      judged({{"Pods", "vllm:num_requests_waiting", "", 5}, {"Pods", "gpu_utilization", "", 60}});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->target, 60);
}

TEST(ScalingSignal, TheFixNamesWhatTheEngineExports) {
  Autoscaler a{.kind = "ScaledObject", .meta = {}, .target_kind = {}, .target = "chat", .metrics = {}};
  a.meta.ns = "prod";
  EXPECT_THAT(right_signal(a, "SGLang"),
              Contains(HasSubstr("sum(sglang:num_running_reqs{namespace=\"prod\",pod=~\"chat-.*\"}) + "
                                 "sum(sglang:num_queue_reqs{namespace=\"prod\",pod=~\"chat-.*\"})")));
  EXPECT_THAT(right_signal(a, ""), Contains(HasSubstr("vllm:num_requests_running{")));
  a.kind = "HorizontalPodAutoscaler";
  EXPECT_THAT(
      right_signal(a, "TensorRT-LLM"),
      Contains(HasSubstr("seriesQuery: 'nv_trt_llm_request_metrics{pod!=\"\",request_type=\"waiting\"}'")));
  EXPECT_THAT(right_signal(a, "vLLM"), Contains(HasSubstr("\"name\":\"vllm_num_requests_waiting\"")));
}

}  // namespace
}  // namespace etiage::explain
