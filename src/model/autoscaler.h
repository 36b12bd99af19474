#pragma once
// What scales workloads on metrics, and the PromQL that people keep beside it.

#include <optional>
#include <string>
#include <vector>

#include "model/meta.h"

namespace etiage {

/// One metric that an autoscaler follows.
struct ScalingMetric {
  std::string
      source;         ///< of an HPA: Resource, Pods, External, ...; of KEDA the trigger: prometheus, cpu, ...
  std::string name;   ///< of the metric or resource, empty where only a query is given
  std::string query;  ///< PromQL, where the source takes one
  std::optional<double> target;  ///< per replica; a utilization in percent

  bool operator==(const ScalingMetric&) const = default;
};

/// A HorizontalPodAutoscaler or a ScaledObject.
struct Autoscaler {
  std::string kind;
  ObjectMeta meta;
  std::string target_kind, target;
  std::int64_t min_replicas = 1, max_replicas = 0;
  std::vector<ScalingMetric> metrics;

  bool operator==(const Autoscaler&) const = default;
};

/// An expression of a PrometheusRule, a rule file or a dashboard's panel.
struct PromqlUse {
  std::string owner;  ///< `PrometheusRule monitoring/gpu-cost`, `dashboard GPU cost`
  std::string name;   ///< of the alert, record or panel
  std::string expr;
  Place place;

  bool operator==(const PromqlUse&) const = default;
};

}  // namespace etiage
