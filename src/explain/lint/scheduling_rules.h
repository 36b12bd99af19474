#pragma once
// Rules over what decides where pods go: KubeSchedulerConfiguration, PriorityClass, Volcano's configuration
// and queues, KAI's queues.

#include "explain/lint/lint.h"

namespace etiage::explain {

void lint_scheduling(const LintInput& input, Diagnostics& out);

void lint_scheduler_configurations(const LintInput& input, Diagnostics& out);
void lint_volcano(const LintInput& input, Diagnostics& out);
void lint_kai(const LintInput& input, Diagnostics& out);
void lint_gangs(const LintInput& input, Diagnostics& out);

}  // namespace etiage::explain
