#pragma once
// `etiage schedule --scheduler volcano|kai`: which groups of pods find nodes in the next cycle, what each
// queue may have and has, and why a group waits.

#include <string>
#include <vector>

#include "app/queued_groups.h"
#include "render/table.h"

namespace etiage::app {

struct QueueScheduleQuestion {
  std::vector<std::string> paths;
  std::string configuration;  ///< Volcano's, where no ConfigMap among the objects has it
  QueueScheduler scheduler = QueueScheduler::kVolcano;
};

/// A queue before and after; CPU in cores, everything else in whole units.
struct QueueLine {
  std::string name, parent;
  placement::Amounts share;  ///< Volcano: deserved; KAI: fair share
  placement::Amounts limit;  ///< what it may hold at most; what is not named has no limit
  placement::Amounts requested, before, after;
};

struct QueueScheduleAnswer {
  QueueScheduler scheduler = QueueScheduler::kVolcano;
  std::string share_by;  ///< `proportion`, `capacity`, `none`; KAI: `fair-share`
  placement::NodeBook nodes;
  std::vector<placement::QueuedGroup> groups;
  std::vector<placement::GroupOutcome> outcomes;
  std::vector<QueueLine> queues;
};

Result<QueueScheduleAnswer> schedule_in_queues(const QueueScheduleQuestion& question,
                                               Diagnostics& diagnostics);
/// The same for objects at hand; `configuration`: a file, or nothing.
Result<QueueScheduleAnswer> schedule_in_queues(const std::vector<LocatedObject>& objects,
                                               QueueScheduler scheduler, const std::string& configuration,
                                               Diagnostics& diagnostics);

/// `{scheduler, shareBy, groups:[{namespace, name, queue, outcome, minMember, reason, reclaimsFrom, pods}],
/// queues:[{name, parent, deserved|fairShare, limit, requested, allocatedBefore, allocated}]}`
std::string to_json(const QueueScheduleAnswer& answer);
std::vector<render::Table> tables(const QueueScheduleAnswer& answer);

}  // namespace etiage::app
