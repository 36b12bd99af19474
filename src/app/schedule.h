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
  std::string kubernetes_version, feature_gates;  ///< as given; empty: the newest, its defaults
  bool sample = false;                            ///< look at as many nodes as percentageOfNodesToScore says
  placement::ScheduleOrder order = placement::ScheduleOrder::kInput;
  placement::Detail detail = placement::Detail::kEverything;
};

struct ScheduleAnswer {
  placement::Scheduler scheduler;  ///< as the pods left it
  std::vector<placement::ScheduleResult> pods;
};

Result<ScheduleAnswer> schedule(const ScheduleQuestion& question, Diagnostics& diagnostics);
/// What decides beside the objects.
struct SchedulingRules {
  SchedulerConfiguration configuration;
  dra::Behaviour devices = dra::behaviour_of({}, dra::default_gates({}));
  bool sample = false;
  bool gangs = true;  ///< pods that name a group are scheduled with it
};
Result<SchedulingRules> read_scheduling_rules(const std::string& configuration, const std::string& version,
                                              const std::string& gates, Diagnostics& diagnostics);

/// What of the objects decides where pods go.
placement::SchedulingInput read_scheduling_input(const std::vector<LocatedObject>& objects,
                                                 Diagnostics& diagnostics);

/// The same as above for objects at hand.
Result<ScheduleAnswer> schedule(const std::vector<LocatedObject>& objects, const SchedulingRules& rules,
                                placement::ScheduleOrder order, placement::Detail detail,
                                Diagnostics& diagnostics);

/// `{pods:[{namespace, name, outcome, boundTo, best, filtered, scores, message, nominatedNode, victims}],
/// gpus:{gar, gfr, sor, largestPod, placeable}}`: the GPUs after the last pod, where nodes have some.
std::string to_json(const ScheduleAnswer& answer);
std::vector<render::Table> tables(const ScheduleAnswer& answer);

}  // namespace etiage::app
