#pragma once
// Changes that may let a waiting workload in. Whether they do is for the engine to say.

#include <functional>
#include <string>
#include <vector>

#include "engines/quota/run.h"

namespace etiage::explain {

struct QueueChange {
  /// Of changes of one kind the first that helps says it all: smaller quota, more pods, fewer ends.
  enum class Kind { kRepair, kPolicy, kBorrowing, kQuota, kPods, kPriority, kEnds };

  Kind kind;
  std::string text;  ///< `It would be admitted with ...`
  std::function<void(QueueObjects&)> apply;
};

/// What is known of the workload before anything is changed.
struct QueueCase {
  const QueueObjects& objects;
  std::size_t workload;
  const quota::AdmissionRun& run;
  std::string cluster_queue;  ///< of its LocalQueue; may not exist
  std::int64_t priority = 0;
  std::int64_t priority_ahead = 0;   ///< the highest of those tried before it, or of the holders
  std::vector<std::size_t> holders;  ///< the first are the first to end
};

/// Smallest first: what is broken, what is forbidden, more quota, fewer pods, a higher priority, ends.
std::vector<QueueChange> possible_changes(const QueueCase& c);

}  // namespace etiage::explain
