#pragma once
// `etiage why workload`: why a workload waits for Kueue.

#include <string>
#include <vector>

#include "app/queue_world.h"
#include "explain/queue_reason.h"
#include "render/table.h"

namespace etiage::app {

/// `workload`: NAME or NAMESPACE/NAME. `diagnostics`: of reading.
Result<explain::QueueReason> why_workload(const QueueQuestion& question, const std::string& workload,
                                          Diagnostics& diagnostics);

std::string to_json(const explain::QueueReason& reason);
std::vector<render::Table> to_tables(const explain::QueueReason& reason);

}  // namespace etiage::app
