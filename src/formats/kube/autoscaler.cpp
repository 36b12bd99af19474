#include "formats/kube/autoscaler.h"

#include "formats/kube/meta.h"

namespace etiage::formats {
namespace {

std::optional<double> quantity(const Tree& tree) {
  if (!tree.is_scalar()) return {};
  const auto read = Quantity::parse(tree.text());
  return read ? std::optional(read->as_double()) : std::nullopt;
}

/// `target: {type, value | averageValue | averageUtilization}`.
std::optional<double> target_of(const Tree& target) {
  for (const char* field : {"averageUtilization", "averageValue", "value"})
    if (target.has(field)) return quantity(target[field]);
  return {};
}

/// `{type: Pods, pods: {metric: {name}, target}}`, `{type: Resource, resource: {name, target}}`, and the
/// fields of v2beta1 beside them.
std::optional<ScalingMetric> read_hpa_metric(const Tree& metric) {
  ScalingMetric out{.source = metric["type"].text(), .name = {}, .query = {}, .target = {}};
  for (const auto& [field, body] : metric.members()) {
    if (!body.is_map()) continue;
    out.name = body["metric"]["name"].text();
    if (out.name.empty()) out.name = body["name"].text();
    if (out.name.empty()) out.name = body["metricName"].text();
    out.target = target_of(body["target"]);
    if (!out.target) out.target = quantity(body["targetAverageUtilization"]);
    if (!out.target) out.target = quantity(body["targetAverageValue"]);
  }
  return out.name.empty() ? std::nullopt : std::optional(out);
}

void read_hpa(const Tree& spec, Autoscaler& out) {
  out.min_replicas = spec["minReplicas"].as_int().value_or(1);
  out.max_replicas = spec["maxReplicas"].as_int().value_or(0);
  for (const Tree& metric : spec["metrics"].items())
    if (auto read = read_hpa_metric(metric)) out.metrics.push_back(std::move(*read));
  if (spec.has("targetCPUUtilizationPercentage"))  // v1
    out.metrics.push_back({"Resource", "cpu", "", quantity(spec["targetCPUUtilizationPercentage"])});
}

/// `{type: prometheus, metadata: {query, threshold}}`, `{type: cpu, metadata: {value}}`.
ScalingMetric read_trigger(const Tree& trigger) {
  const Tree& more = trigger["metadata"];
  ScalingMetric out{trigger["type"].text(), more["metricName"].text(), more["query"].text(), {}};
  if (out.source == "cpu" || out.source == "memory") out.name = out.source;
  for (const char* field : {"threshold", "value", "targetValue"})
    if (!out.target && more.has(field)) out.target = quantity(more[field]);
  return out;
}

void read_scaled_object(const Tree& spec, Autoscaler& out) {
  out.min_replicas = spec["minReplicaCount"].as_int().value_or(0);
  out.max_replicas = spec["maxReplicaCount"].as_int().value_or(100);
  for (const Tree& trigger : spec["triggers"].items()) out.metrics.push_back(read_trigger(trigger));
}

}  // namespace

std::optional<Autoscaler> read_autoscaler(const Tree& object, const std::string& file) {
  const std::string& kind = object["kind"].text();
  const bool hpa = kind == "HorizontalPodAutoscaler";
  if (!hpa && kind != "ScaledObject") return {};
  Autoscaler out{.kind = kind, .meta = read_meta(object, file, true), .target_kind = {}, .target = {}};
  const Tree& spec = object["spec"];
  const Tree& target = spec["scaleTargetRef"];
  out.target_kind = target["kind"].text().empty() ? "Deployment" : target["kind"].text();
  out.target = target["name"].text();
  hpa ? read_hpa(spec, out) : read_scaled_object(spec, out);
  return out;
}

std::vector<PromqlUse> read_rule_groups(const Tree& groups, const std::string& owner,
                                        const std::string& file) {
  std::vector<PromqlUse> out;
  for (const Tree& group : groups.items())
    for (const Tree& rule : group["rules"].items()) {
      const std::string& record = rule["record"].text();
      const Tree& expr = rule["expr"];
      if (!expr.is_scalar()) continue;
      out.push_back({owner,
                     record.empty() ? rule["alert"].text() : record,
                     expr.text(),
                     {file, expr.line > 0 ? expr.line : rule.line, 0, "expr"}});
    }
  return out;
}

}  // namespace etiage::formats
