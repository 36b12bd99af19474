#pragma once
// What Kueue is asked about: objects and configuration from files, the release, the moment.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "engines/quota/gates.h"
#include "model/queue_config.h"

namespace etiage::app {

struct QueueQuestion {
  std::vector<std::string> paths;
  std::string kueue_version;
  std::string configuration;                               ///< a file; empty: Kueue's defaults
  std::map<std::string, bool, std::less<>> feature_gates;  ///< over those of the configuration
  std::optional<Instant> now;                              ///< absent: the latest moment in the objects
};

struct QueueWorld {
  QueueObjects objects;
  QueueConfiguration configuration;
  quota::Release release;
  Instant now;
  Diagnostics diagnostics;  ///< of reading, and what the API server would not have let in
};

Result<QueueWorld> read_queue_world(const QueueQuestion& question);

}  // namespace etiage::app
