#include "formats/kube/scheduling.h"

#include "formats/kube/meta.h"

namespace etiage::formats {
namespace {

std::int32_t bounded(const Tree& tree, std::int32_t fallback) {
  const auto value = tree.as_int();
  return value && *value >= INT32_MIN && *value <= INT32_MAX ? static_cast<std::int32_t>(*value) : fallback;
}

PriorityClass read_priority_class(const Tree& object, const std::string& file, Diagnostics& diagnostics) {
  PriorityClass out{read_meta(object, file, false), bounded(object["value"], 0),
                    object["globalDefault"].as_bool().value_or(false), object["preemptionPolicy"].text()};
  constexpr std::int64_t kHighestUserValue = 1'000'000'000;
  if (object["value"].as_int().value_or(0) > kHighestUserValue && !out.meta.name.starts_with("system-"))
    diagnostics.push_back({Severity::kError,
                           "priority-class-value",
                           out.meta.place,
                           "PriorityClass " + out.meta.name +
                               ": the maximum value for user-defined priority classes is " +
                               std::to_string(kHighestUserValue),
                           {}});
  return out;
}

PodDisruptionBudget read_disruption_budget(const Tree& object, const std::string& file) {
  PodDisruptionBudget out{.meta = read_meta(object, file, true),
                          .selector = std::nullopt,
                          .disruptions_allowed = bounded(object["status"]["disruptionsAllowed"], 0)};
  if (object["spec"].has("selector")) out.selector = read_label_selector(object["spec"]["selector"]);
  for (const auto& [pod, since] : object["status"]["disruptedPods"].members()) out.disrupted_pods.insert(pod);
  return out;
}

Service read_service(const Tree& object, const std::string& file) {
  Service out{read_meta(object, file, true), std::nullopt};
  if (object["spec"].has("selector")) out.selector = read_label_map(object["spec"]["selector"]);
  return out;
}

/// A ReplicationController's selector is a plain map.
PodController read_controller(const std::string& kind, const Tree& object, const std::string& file) {
  PodController out{kind, read_meta(object, file, true), {}};
  const Tree& selector = object["spec"]["selector"];
  if (kind == "ReplicationController") {
    out.selector.match_labels = read_label_map(selector);
  } else {
    out.selector = read_label_selector(selector);
  }
  return out;
}

}  // namespace

bool read_scheduling_object(const Tree& object, const std::string& file, SchedulingObjects& into,
                            Diagnostics& diagnostics) {
  const std::string& kind = object["kind"].text();
  if (kind == "PriorityClass") {
    into.priority_classes.push_back(read_priority_class(object, file, diagnostics));
  } else if (kind == "PodDisruptionBudget") {
    into.disruption_budgets.push_back(read_disruption_budget(object, file));
  } else if (kind == "Service") {
    into.services.push_back(read_service(object, file));
  } else if (kind == "ReplicaSet" || kind == "StatefulSet" || kind == "ReplicationController") {
    into.controllers.push_back(read_controller(kind, object, file));
  } else {
    return false;
  }
  return true;
}

}  // namespace etiage::formats
