#pragma once
// `etiage schedule`: where kube-scheduler would put the pending pods, and why not elsewhere.

#include <string>
#include <vector>

#include "app/objects.h"
#include "base/diagnostic.h"
#include "engines/placement/kube/scheduler.h"
#include "render/table.h"

namespace etiage::app {

struct ScheduleQuestion {
  std::vector<std::string> paths;
  std::string configuration;  ///< file of a KubeSchedulerConfiguration; empty: the default profile
  placement::ScheduleOrder order = placement::ScheduleOrder::kInput;
  placement::Detail detail = placement::Detail::kEverything;
};

struct ScheduleAnswer {
  placement::Scheduler scheduler;  ///< as the pods left it
  std::vector<placement::ScheduleResult> pods;
};

Result<ScheduleAnswer> schedule(const ScheduleQuestion& question, Diagnostics& diagnostics);
/// The same for objects at hand.
Result<ScheduleAnswer> schedule(const std::vector<LocatedObject>& objects,
                                const SchedulerConfiguration& configuration, placement::ScheduleOrder order,
                                placement::Detail detail, Diagnostics& diagnostics);

/// `{pods:[{namespace, name, outcome, boundTo, best, filtered, scores, message, nominatedNode, victims}]}`
std::string to_json(const ScheduleAnswer& answer);
std::vector<render::Table> tables(const ScheduleAnswer& answer);

}  // namespace etiage::app
