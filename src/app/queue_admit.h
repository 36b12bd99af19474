#pragma once
// Which workloads Kueue admits, preempts and keeps waiting, cycle by cycle.

#include <string>
#include <vector>

#include "app/queue_world.h"
#include "engines/quota/run.h"
#include "render/table.h"

namespace etiage::app {

struct QueueAdmitAnswer {
  quota::AdmissionRun run;
  Diagnostics diagnostics;
};

/// At most so many cycles.
Result<QueueAdmitAnswer> queue_admit(const QueueQuestion& question, int cycles);

/// The object of CONTRACT.md.
std::string to_json(const quota::AdmissionRun& run);
/// Workloads, then ClusterQueues.
std::vector<render::Table> to_tables(const quota::AdmissionRun& run);

}  // namespace etiage::app
