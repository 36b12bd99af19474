#pragma once
// Which workloads Kueue admits, preempts and keeps waiting, cycle by cycle.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "engines/quota/run.h"
#include "render/table.h"

namespace etiage::app {

struct QueueAdmitQuestion {
  std::vector<std::string> paths;
  std::string kueue_version;
  std::string configuration;                               ///< a file; empty: Kueue's defaults
  std::map<std::string, bool, std::less<>> feature_gates;  ///< over those of the configuration
  std::optional<Instant> now;                              ///< absent: the latest moment in the objects
  int cycles = 0;
};

struct QueueAdmitAnswer {
  quota::AdmissionRun run;
  Diagnostics diagnostics;
};

Result<QueueAdmitAnswer> queue_admit(const QueueAdmitQuestion& question);

/// The object of CONTRACT.md.
std::string to_json(const quota::AdmissionRun& run);
/// Workloads, then ClusterQueues.
std::vector<render::Table> to_tables(const quota::AdmissionRun& run);

}  // namespace etiage::app
