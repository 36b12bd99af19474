#pragma once
// PriorityClass, PodDisruptionBudget, Service, the controllers with selectors, and
// KubeSchedulerConfiguration.

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/scheduling.h"

namespace etiage::formats {

/// The objects beside nodes and pods that decide a placement.
struct SchedulingObjects {
  std::vector<PriorityClass> priority_classes;
  std::vector<PodDisruptionBudget> disruption_budgets;
  std::vector<Service> services;
  std::vector<PodController> controllers;

  bool operator==(const SchedulingObjects&) const = default;
};

/// Reads one object into its list. False: another kind, nothing is said about it.
bool read_scheduling_object(const Tree& object, const std::string& file, SchedulingObjects& into,
                            Diagnostics& diagnostics);

/// A KubeSchedulerConfiguration (v1, v1beta3) with its defaults. What the real scheduler refuses is refused.
Result<SchedulerConfiguration> read_scheduler_configuration(const Tree& document, const std::string& file);

}  // namespace etiage::formats
