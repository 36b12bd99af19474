#pragma once
// Kueue's objects, and the nodes and pods beside them, from the files that the user named.

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/queue_config.h"

namespace etiage::app {

struct ReadQueueObjects {
  QueueObjects objects;
  Diagnostics diagnostics;
};

/// Files and folders of JSON and YAML; what is of another kind is passed over.
ReadQueueObjects read_queue_objects(const std::vector<std::string>& paths);
/// Objects that are read already; `file` is for messages.
ReadQueueObjects read_queue_objects(const std::vector<Tree>& objects, const std::string& file);
Result<QueueConfiguration> read_queue_configuration_file(const std::string& path);

/// The latest moment that the objects tell of; the beginning of 1970 where they tell of none.
Instant latest_moment(const QueueObjects& objects);

}  // namespace etiage::app
