#include "formats/kube/autoscaler.h"

#include <gtest/gtest.h>

#include "formats/document.h"
#include "formats/kube/cluster.h"

namespace etiage::formats {
namespace {

Cluster cluster_of(std::string_view text) {
  Diagnostics diagnostics;
  Cluster out;
  add_objects(out, kubernetes_objects(read_documents(text, "f", diagnostics), "f", diagnostics), "f",
              diagnostics);
  return out;
}

TEST(Autoscaler, ReadsPodsAndResourceMetricsOfAnHpa) {
  const Cluster c = cluster_of(R"(
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: llama, namespace: chat}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llama-70b}
  minReplicas: 2
  maxReplicas: 6
  metrics:
  - type: Pods
    pods: {metric: {name: DCGM_FI_DEV_GPU_UTIL}, target: {type: AverageValue, averageValue: "70"}}
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}
)");
  ASSERT_EQ(c.autoscalers.size(), 1u);
  const Autoscaler& a = c.autoscalers[0];
  EXPECT_EQ(a.target, "llama-70b");
  EXPECT_EQ(a.min_replicas, 2);
  EXPECT_EQ(a.metrics, (std::vector<ScalingMetric>{{"Pods", "DCGM_FI_DEV_GPU_UTIL", "", 70},
                                                   {"Resource", "cpu", "", 80}}));
}

TEST(Autoscaler, ReadsTriggersOfAScaledObject) {
  const Cluster c = cluster_of(R"(
kind: ScaledObject
metadata: {name: s}
spec:
  scaleTargetRef: {name: w}
  triggers:
  - type: prometheus
    metadata: {metricName: m, query: 'avg(DCGM_FI_DEV_GPU_UTIL{deployment="w"})', threshold: '5'}
  - {type: cpu, metricType: Utilization, metadata: {value: "60"}}
)");
  ASSERT_EQ(c.autoscalers.size(), 1u);
  const Autoscaler& a = c.autoscalers[0];
  EXPECT_EQ(a.target_kind, "Deployment");
  EXPECT_EQ(a.min_replicas, 0);
  EXPECT_EQ(a.metrics[0],
            (ScalingMetric{"prometheus", "m", "avg(DCGM_FI_DEV_GPU_UTIL{deployment=\"w\"})", 5}));
  EXPECT_EQ(a.metrics[1], (ScalingMetric{"cpu", "cpu", "", 60}));
}

TEST(Autoscaler, ReadsExpressionsOfAPrometheusRule) {
  const Cluster c = cluster_of(R"(
kind: PrometheusRule
metadata: {name: gpu, namespace: monitoring}
spec:
  groups:
  - name: g
    rules:
    - {record: gpu:busy, expr: avg(DCGM_FI_PROF_SM_ACTIVE)}
    - {alert: Idle, expr: gpu:busy < 0.1}
)");
  ASSERT_EQ(c.promql.size(), 2u);
  EXPECT_EQ(c.promql[0].owner, "PrometheusRule monitoring/gpu");
  EXPECT_EQ(c.promql[1].expr, "gpu:busy < 0.1");
}

}  // namespace
}  // namespace etiage::formats
